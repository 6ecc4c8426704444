// A client of Kvorum with Go's standard library alone: go run client.go
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"
)

// ErrUnknown is returned for a write that may or may not be stored.
var ErrUnknown = errors.New("unknown whether it is stored")

type Kvorum struct {
	URL      string
	HTTP     *http.Client
	Deadline time.Duration
}

// send sends one request with its retries. With repeat, an unknown write is sent again.
func (k *Kvorum) send(method, path string, query url.Values, body []byte, header http.Header, repeat bool) (*http.Response, error) {
	end, pause := time.Now().Add(k.Deadline), 50*time.Millisecond
	for {
		request, err := http.NewRequest(method, k.URL+path+"?"+query.Encode(), bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		for name, values := range header {
			request.Header[name] = values
		}
		wait := pause/2 + time.Duration(rand.Int63n(int64(pause)))
		unknown := true
		response, err := k.HTTP.Do(request)
		if err == nil {
			switch response.StatusCode {
			case 408, 500, 503, 504:
				text, _ := io.ReadAll(response.Body)
				response.Body.Close()
				err = fmt.Errorf("%s %s", response.Status, text)
				unknown = response.StatusCode == 500 || response.StatusCode == 504
				if seconds, failed := strconv.Atoi(response.Header.Get("Retry-After")); failed == nil {
					wait = time.Duration(seconds) * time.Second
				}
			default:
				return response, nil
			}
		}
		write := method == http.MethodPut || method == http.MethodDelete
		if (unknown && !repeat) || time.Now().Add(wait).After(end) {
			if unknown && write {
				return nil, fmt.Errorf("%w: %w", ErrUnknown, err)
			}
			return nil, err
		}
		time.Sleep(wait)
		pause = min(2*pause, 5*time.Second)
	}
}

func (k *Kvorum) entity(method, key string, body []byte, header http.Header, repeat bool) (*http.Response, []byte, error) {
	response, err := k.send(method, "/v0/entity", url.Values{"id": {key}}, body, header, repeat)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 400 && response.StatusCode != 404 {
		err = fmt.Errorf("%s %s", response.Status, data)
	}
	return response, data, err
}

// Put returns the version of the write.
func (k *Kvorum) Put(key string, value []byte, repeat bool) (string, error) {
	response, _, err := k.entity(http.MethodPut, key, value, nil, repeat)
	if err != nil {
		return "", err
	}
	return response.Header.Get("ETag"), nil
}

// Get returns the value and its version; no value if it still has the known version, no version if there is none.
func (k *Kvorum) Get(key, known string) (value []byte, version string, err error) {
	header := http.Header{}
	if known != "" {
		header.Set("If-None-Match", known)
	}
	response, data, err := k.entity(http.MethodGet, key, nil, header, true)
	if err != nil || response.StatusCode == 404 {
		return nil, "", err
	}
	if response.StatusCode == 304 {
		data = nil
	}
	return data, response.Header.Get("ETag"), nil
}

func (k *Kvorum) Delete(key string) error {
	_, _, err := k.entity(http.MethodDelete, key, nil, nil, true)
	return err
}

type Record struct {
	Key, Version, Resume, Incomplete string
	Value                            []byte // encoding/json decodes base64
}

// Range calls each with all records from start to end, and resumes where a stream ends early.
func (k *Kvorum) Range(start, end string, each func(Record)) error {
	query := url.Values{"start": {start}, "end": {end}}
	for attempt := range 10 {
		response, err := k.send(http.MethodGet, "/v0/entities", query, nil, http.Header{"Accept": {"application/x-ndjson"}}, true)
		if err != nil {
			return err
		}
		if response.StatusCode != 200 {
			text, _ := io.ReadAll(response.Body)
			response.Body.Close()
			return fmt.Errorf("%s %s", response.Status, text)
		}
		lines, complete := bufio.NewReader(response.Body), false
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil { // io.EOF only after the last chunk, else io.ErrUnexpectedEOF
				complete = err == io.EOF && len(line) == 0
				break
			}
			var record Record
			if err := json.Unmarshal(line, &record); err != nil {
				return err
			}
			if record.Incomplete != "" {
				break
			}
			query.Del("start")
			query.Set("resume", record.Resume)
			each(record)
		}
		response.Body.Close()
		if complete {
			return nil
		}
		time.Sleep(100 * time.Millisecond << attempt)
	}
	return errors.New("the range stays incomplete")
}

func check(err error, right bool) {
	if err != nil || !right {
		log.Panicln("failed:", err)
	}
}

func main() {
	address := os.Getenv("KVORUM_URL")
	if address == "" {
		address = "http://localhost:8080"
	}
	k := &Kvorum{address, &http.Client{Timeout: 10 * time.Second}, 30 * time.Second}
	prefix := fmt.Sprintf("go:%d:", rand.Int63())
	key, value := prefix+"grün & co", fmt.Appendf(nil, "from %d, write 1", os.Getpid())

	version, err := k.Put(key, value, true)
	check(err, version != "")
	found, seen, err := k.Get(key, "")
	check(err, bytes.Equal(found, value) && seen == version)
	found, seen, err = k.Get(key, version)
	check(err, found == nil && seen == version)

	// A write that is not repeated: after ErrUnknown a read that returns the value proves that it is stored.
	if _, err = k.Put(key, append(value, " again"...), false); !errors.Is(err, ErrUnknown) {
		check(err, true)
	}

	for i := range 5 {
		_, err = k.Put(fmt.Sprintf("%sn%d", prefix, i), []byte(strconv.Itoa(i)), true)
		check(err, true)
	}
	names := []string{}
	check(k.Range(prefix+"n", prefix+"o", func(r Record) {
		check(nil, string(r.Value) == strconv.Itoa(len(names)))
		names = append(names, r.Key)
	}), true)
	check(nil, len(names) == 5)

	for _, name := range append(names, key) {
		check(k.Delete(name), true)
	}
	_, seen, err = k.Get(key, "")
	check(err, seen == "")
	fmt.Println("go: ok")
}
