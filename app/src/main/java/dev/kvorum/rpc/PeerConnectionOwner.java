package dev.kvorum.rpc;

/** What a {@link PeerConnection} reports to its owner, on the connection's event loop. */
interface PeerConnectionOwner {
  /** The connection is ready for requests. */
  void ready(PeerConnection connection);

  void closed(PeerConnection connection, String why);

  /** A frame was received. */
  void received();

  void readTook(long nanos);

  /** The peer replied to a heartbeat with its wall clock, in Unix milliseconds. */
  void onPeerTime(RemoteClockMonitor.Asked asked, long peerMillis);
}
