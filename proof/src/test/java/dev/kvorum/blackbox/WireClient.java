package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.blackbox.RawConnection.Response;
import dev.kvorum.seeds.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** A node that receives raw bytes, and is checked afterwards. */
abstract class WireClient {
  static final int VALUE_MAX = 1 << 20;
  static final String HOST = "Host: kvorum\r\n";
  static final NodeProcess NODE = SharedCluster.get().node(0);

  final String key = "w-" + Seeds.uuid();
  final List<RawConnection> opened = new ArrayList<>();

  @AfterEach
  void closeAndSeeThatTheNodeIsUnharmed() throws IOException {
    for (RawConnection connection : opened) {
      connection.close();
    }
    assertThat(NODE.client().put(key + "-after", "fine").statusCode()).isEqualTo(201);
    assertThat(Client.text(NODE.client().get(key + "-after"))).isEqualTo("fine");
    assertThat(NODE.log()).doesNotContain("\tat ");
  }

  RawConnection connect() throws IOException {
    RawConnection connection = new RawConnection(NODE);
    opened.add(connection);
    return connection;
  }

  String entity() {
    return "/v0/entity?id=" + key;
  }

  Response put(RawConnection connection, String value) throws IOException {
    connection.send("PUT " + entity() + " HTTP/1.1\r\n" + HOST);
    return connection.send("Content-Length: " + value.length() + "\r\n\r\n" + value).read();
  }

  void assertUsable(RawConnection connection) throws IOException {
    assertThat(put(connection, "usable").status()).isEqualTo(201);
    connection.send("GET " + entity() + " HTTP/1.1\r\n" + HOST + "\r\n");
    assertThat(connection.read().text()).isEqualTo("usable");
  }
}
