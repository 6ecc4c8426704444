package dev.kvorum.rpc;

/** What a {@link PeerConnection} reports to its owner, on the connection's event loop. */
interface PeerConnectionOwner {
  /** Requests may be sent. */
  void ready(PeerConnection connection);

  void closed(PeerConnection connection, String why);

  /** A frame came in. */
  void received();

  void readTook(long nanos);

  /** A heartbeat was answered with the peer's wall clock, Unix milliseconds. */
  void onPeerTime(RemoteClockMonitor.Asked asked, long peerMillis);
}
