// A client of Kvorum with fetch alone: node client.mjs
const env = globalThis.process?.env ?? {};
const sleep = (millis) => new Promise((done) => setTimeout(done, millis));

/** A write may or may not be stored. */
class UnknownOutcome extends Error {}

class Kvorum {
  constructor(url, deadline = 30_000) {
    this.url = url;
    this.deadline = deadline;
  }

  /** One request with its retries; `repeat`: whether an unknown write is sent again. */
  async send(path, options = {}, repeat = true) {
    const end = Date.now() + this.deadline;
    const write = ["PUT", "DELETE"].includes(options.method);
    for (let pause = 50; ; pause = Math.min(2 * pause, 5000)) {
      let wait = pause * (0.5 + Math.random());
      let unknown = true;
      let failure;
      try {
        const response = await fetch(this.url + path, { ...options, signal: AbortSignal.timeout(10_000) });
        if (![408, 500, 503, 504].includes(response.status)) return response;
        unknown = [500, 504].includes(response.status);
        failure = `${response.status} ${await response.text()}`;
        wait = 1000 * Number(response.headers.get("retry-after") ?? 0) || wait;
      } catch (error) {
        failure = `${error} ${error.cause ?? ""}`;
      }
      if ((unknown && write && !repeat) || Date.now() + wait > end) {
        throw unknown && write ? new UnknownOutcome(failure) : new Error(failure);
      }
      await sleep(wait);
    }
  }

  async entity(key, options, codes, repeat) {
    const response = await this.send(`/v0/entity?id=${encodeURIComponent(key)}`, options, repeat);
    if (!codes.includes(response.status)) throw new Error(`${response.status} ${await response.text()}`);
    return { status: response.status, version: response.headers.get("etag"), value: await response.arrayBuffer() };
  }

  async put(key, value, repeat = true) {
    return (await this.entity(key, { method: "PUT", body: value }, [201], repeat)).version;
  }

  /** {version, value}; without a value if it still has the known version; null if there is none. */
  async get(key, known) {
    const headers = known ? { "If-None-Match": known } : {};
    const { status, version, value } = await this.entity(key, { headers, cache: "no-store" }, [200, 304, 404]);
    if (status === 404) return null;
    return status === 304 ? { version } : { version, value: new Uint8Array(value) };
  }

  async delete(key) {
    await this.entity(key, { method: "DELETE" }, [202]);
  }

  /** All records from start to end, resumed where a stream ends early. */
  async *range(start, end) {
    let position = `start=${encodeURIComponent(start)}`;
    for (let attempt = 0; attempt < 10; attempt++) {
      const headers = { Accept: "application/x-ndjson" };
      const response = await this.send(`/v0/entities?${position}&end=${encodeURIComponent(end)}`, { headers });
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      const records = lines(response.body);
      let complete = false;
      while (true) {
        let next;
        try {
          next = await records.next();
        } catch {
          break; // the connection ended before the last chunk
        }
        if (next.done) {
          complete = true;
          break;
        }
        const record = JSON.parse(next.value);
        if (record.incomplete) break;
        position = `resume=${record.resume}`;
        yield { key: record.key, version: record.version, value: Uint8Array.from(atob(record.value), (c) => c.charCodeAt(0)) };
      }
      await records.return();
      if (complete) return;
      await sleep(100 * 2 ** attempt);
    }
    throw new Error("the range stays incomplete");
  }
}

/** The lines of a stream; throws where it ends within one. */
async function* lines(body) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop();
    yield* parts;
  }
  if (rest) throw new Error("cut off");
}

function check(right) {
  if (!right) throw new Error("failed");
}

const kvorum = new Kvorum(env.KVORUM_URL ?? "http://localhost:8080");
const prefix = `javascript:${crypto.randomUUID()}:`;
const key = `${prefix}grün & co`;
const value = `from ${prefix}, write 1`;
const text = (bytes) => new TextDecoder().decode(bytes);

const version = await kvorum.put(key, value);
const read = await kvorum.get(key);
check(read.version === version && text(read.value) === value);
check((await kvorum.get(key, version)).value === undefined);

// A write that is not repeated: afterwards a read that returns the value proves that it is stored.
try {
  await kvorum.put(key, `${value} again`, false);
} catch (error) {
  if (!(error instanceof UnknownOutcome)) throw error;
  const now = await kvorum.get(key);
  console.log(text(now.value) === `${value} again` ? "stored" : "still unknown");
}

for (let i = 0; i < 5; i++) await kvorum.put(`${prefix}n${i}`, String(i));
const found = [];
for await (const record of kvorum.range(`${prefix}n`, `${prefix}o`)) found.push(record);
check(found.length === 5 && found.every((record, i) => record.key === `${prefix}n${i}` && text(record.value) === String(i)));

for (const { key: name } of [...found, { key }]) await kvorum.delete(name);
check((await kvorum.get(key)) === null);
console.log("javascript: ok");
