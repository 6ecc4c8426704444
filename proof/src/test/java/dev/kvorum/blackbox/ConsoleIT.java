package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.By;
import org.openqa.selenium.TimeoutException;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.remote.http.ClientConfig;

/** The page for people, over HTTP and as Chromium shows it where there is one. */
@ExtendWith(PrintsNodeLogs.class)
class ConsoleIT {
  private static final Path BROWSER = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final NodeProcess NODE = SharedCluster.get().node(0);

  private static String page() {
    return "http://localhost:" + NODE.management().port() + "/";
  }

  private static HttpResponse<String> send(String method, String path, String body)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create(page() + path))
              .timeout(TIMEOUT)
              .method(method, BodyPublishers.ofString(body))
              .build(),
          BodyHandlers.ofString());
    }
  }

  @Test
  void isOnTheManagementPortOnly() throws IOException, InterruptedException {
    assertThat(send("GET", "", "").body()).contains("<title>Kvorum</title>");
    HttpResponse<String> head = send("HEAD", "", "");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.headers().firstValue("content-type")).hasValue("text/html");
    assertThat(NODE.client().path("/").statusCode()).isEqualTo(400);
    assertThat(NODE.client().path("/console/slots").statusCode()).isEqualTo(400);
  }

  @Test
  void handsOneKeyOnAsItIs() throws IOException, InterruptedException {
    String key = "console/entity?id=%C3%A4%26%2Bb";
    HttpResponse<String> put = send("PUT", key + "&ack=3&from=3", "grün\n");
    assertThat(put.statusCode()).isEqualTo(201);

    HttpResponse<String> got = send("GET", key, "");
    assertThat(got.statusCode()).isEqualTo(200);
    assertThat(got.body()).isEqualTo("grün\n");
    assertThat(got.headers().firstValue("etag")).isEqualTo(put.headers().firstValue("etag"));
    assertThat(Client.text(NODE.client().get("ä&+b"))).isEqualTo("grün\n");

    assertThat(send("DELETE", key, "").statusCode()).isEqualTo(202);
    HttpResponse<String> gone = send("GET", key, "");
    assertThat(gone.statusCode()).isEqualTo(404);
    assertThat(gone.headers().firstValue("content-type")).hasValue("application/problem+json");
    assertThat(send("GET", "console/entity", "").statusCode()).isEqualTo(400);
    assertThat(send("POST", key, "x").statusCode()).isEqualTo(404);
    assertThat(send("GET", "console/explain?id=%C3%A4%26%2Bb", "").body()).contains("tombstone");
    assertThat(send("GET", "console/entities?prefix=%C3%A4&count=true", "").body())
        .isEqualTo("{\"count\":0}\n");
  }

  @Test
  void doesNotLetPagesOfOthersWrite() throws IOException, InterruptedException {
    HttpResponse<String> asked = send("OPTIONS", "console/entity?id=k", "");
    assertThat(asked.headers().map()).doesNotContainKey("access-control-allow-origin");
  }

  @Nested
  class InABrowser {
    private static ChromeDriver browser;

    @BeforeAll
    static void open() {
      assumeTrue(
          Files.isExecutable(BROWSER) && Files.isExecutable(DRIVER),
          "skipped: no /usr/bin/chromium and chromedriver");
      ChromeOptions options = new ChromeOptions();
      options.setBinary(BROWSER.toFile());
      options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage");
      // Whatever is not on this machine cannot be had.
      options.addArguments("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost");
      options.setPageLoadTimeout(TIMEOUT);
      browser =
          new ChromeDriver(
              new ChromeDriverService.Builder().usingDriverExecutable(DRIVER.toFile()).build(),
              options,
              ClientConfig.defaultConfig().readTimeout(TIMEOUT.multipliedBy(2)));
    }

    @AfterAll
    static void close() {
      if (browser != null) {
        try {
          browser.quit();
        } catch (WebDriverException e) {
          System.out.println("The browser does not end: " + e.getMessage());
        }
      }
    }

    @BeforeEach
    void load() throws IOException, InterruptedException {
      try {
        browser.get(page());
      } catch (TimeoutException e) {
        // A browser may hang on a full machine. The page may not, and a second browser may not.
        assertThat(send("GET", "", "").statusCode()).as("asked without a browser").isEqualTo(200);
        close();
        open();
        browser.get(page());
      }
      await("the members are there", () -> text("members").contains("kvorum-2"));
    }

    private static void await(String what, java.util.concurrent.Callable<Boolean> condition) {
      Awaitility.await(what).atMost(TIMEOUT).until(condition);
    }

    private static String text(String id) {
      return Objects.requireNonNullElse(browser.findElement(By.id(id)).getText(), "");
    }

    private static void type(String id, String text) {
      browser.findElement(By.id(id)).sendKeys(text);
    }

    private static void press(String value) {
      browser.findElement(By.cssSelector("button[value=" + value + "]")).click();
    }

    @Test
    void showsMembersSlotsAndWork() {
      assertThat(text("cluster")).isEqualTo("kvorum");
      assertThat(text("node")).isEqualTo("kvorum-0");
      assertThat(text("readiness")).isEqualTo("ready");
      assertThat(text("members").lines()).hasSize(3).allMatch(line -> line.contains("active"));
      assertThat(text("legend")).contains("kvorum-0", "kvorum-1", "kvorum-2");
      assertThat(text("work")).contains("0 waiting").contains("rebuilding").contains("none");
      // All 4096 slots have a first member.
      assertThat(
              text("members")
                  .lines()
                  .map(line -> line.split(" ", -1))
                  .mapToInt(words -> Integer.parseInt(words[words.length - 2]))
                  .sum())
          .isEqualTo(4096);
    }

    @Test
    void warnsOfALostQuorum() {
      // Drawn and read in one script, before the next state of the node comes.
      Object shown =
          browser.executeScript(
              """
              const members = ["kvorum-0", "kvorum-1", "kvorum-2"].map(
                  (name, i) => ({name, zone: "", state: "ACTIVE", connected: i < 1, hints: 0}));
              const lost = showShortfall({node: "kvorum-0", members});
              const text = document.getElementById("shortfall").textContent;
              members[1].connected = true;
              const served = !showShortfall({node: "kvorum-0", members});
              return [lost, served && document.getElementById("shortfall").hidden, text];
              """);
      assertThat(shown)
          .isEqualTo(
              List.of(
                  true,
                  true,
                  "2 of 3 members are unreachable (kvorum-1, kvorum-2); 2 confirmations needed, 1"
                      + " can be had: all keys get 504 unless a request asks for fewer (ack)."));
    }

    @Test
    void showsRateAndPercentilesOfWhatClientsDo() {
      await(
          "requests show",
          () -> {
            for (int i = 0; i < 20; i++) {
              NODE.client().put("seen", "v");
            }
            return text("load")
                .lines()
                .anyMatch(line -> line.startsWith("put") && line.contains("ms"));
          });
    }

    @Test
    void putsGetsAndDeletesAKey() {
      type("key", "from the page");
      type("value", "<b>hello</b>");
      press("PUT");
      await("stored", () -> text("answer").contains("201 version"));
      browser.findElement(By.id("value")).clear();
      press("PUT");
      browser.switchTo().alert().dismiss();
      press("GET");
      await("found", () -> text("answer").contains("<b>hello</b>"));
      assertThat(browser.findElement(By.id("value")).getDomProperty("value"))
          .isEqualTo("<b>hello</b>");
      assertThat(Client.text(NODE.client().get("from the page"))).isEqualTo("<b>hello</b>");
      press("DELETE");
      await("deleted", () -> text("answer").contains("202"));
      press("GET");
      await("gone", () -> text("answer").contains("No such key"));
    }

    @Test
    void listsKeysByPrefixAndExplainsOne() {
      for (int i = 0; i < 51; i++) {
        NODE.client().put("listed-%02d".formatted(i), "value");
      }
      type("prefix", "listed-");
      browser.findElement(By.cssSelector("#browse button")).click();
      await("a page", () -> text("listed").equals("50 keys, and more"));
      browser.findElement(By.id("more")).click();
      await("all", () -> text("listed").equals("51 keys"));
      browser.findElement(By.cssSelector("#keys li:first-child button")).click();
      await("read", () -> text("answer").startsWith("GET listed-00\n200"));
      press("EXPLAIN");
      await("explained", () -> text("answer").contains("on 3 of 3 replicas"));
      assertThat(text("copies")).contains("kvorum-0", "kvorum-1", "kvorum-2", "value");
    }

    @Test
    void saysWhatIsWrongWithARequest() {
      type("key", "k");
      type("ack", "9");
      press("GET");
      await("rejected", () -> text("answer").contains("400"));
      assertThat(text("answer")).contains("ack");
    }

    @Test
    void fitsOnAPhone() {
      for (int width : List.of(320, 390, 768, 1280)) {
        browser.executeCdpCommand(
            "Emulation.setDeviceMetricsOverride",
            Map.of("width", width, "height", 800, "deviceScaleFactor", 2, "mobile", true));
        Object wide = browser.executeScript("return document.documentElement.scrollWidth");
        assertThat((Long) wide).as("width %d", width).isLessThanOrEqualTo(width);
      }
      browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
    }

    @Test
    void isDarkWhereEverythingIs() {
      String script = "return getComputedStyle(document.body).backgroundColor";
      Object light = browser.executeScript(script);
      browser.executeCdpCommand(
          "Emulation.setEmulatedMedia",
          Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", "dark"))));
      assertThat(browser.executeScript(script)).isNotEqualTo(light);
      browser.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of()));
    }

    @Test
    void asksNobodyElseAndHasNoErrors() {
      Object hosts =
          browser.executeScript(
              "return [...new Set(performance.getEntriesByType('resource').map(e => new"
                  + " URL(e.name).host))]");
      assertThat(hosts).isEqualTo(List.of("localhost:" + NODE.management().port()));
      assertThat(browser.manage().logs().get("browser").getAll()).isEmpty();
    }
  }
}
