// The wire server's pure parts: splitting streams into frames, tracking answers, SCRAM, statement names.

import { describe, expect, it } from "vitest";
import { OutputScanner } from "../../supabase/local/postgres/backend-output.ts";
import {
  errorResponse,
  FrameReader,
  maxFrameBytes,
  message,
  readyForQuery,
} from "../../supabase/local/postgres/protocol.ts";
import { leavesTraces } from "../../supabase/local/postgres/sessions.ts";
import fc from "../support/property-cases.ts";

/** Cuts bytes at the given positions. */
function cut(bytes: Buffer, places: number[]): Buffer[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

const frames = fc.array(fc.tuple(fc.constantFrom(..."QPBEDCSHdc"), fc.uint8Array({ maxLength: 300 })), {
  maxLength: 20,
});

describe("FrameReader", () => {
  it("finds the same frames however the stream is split", () => {
    fc.assert(
      fc.property(frames, fc.array(fc.nat()), (sent, places) => {
        const messages = sent.map(([type, body]) => message(type, Buffer.from(body)));
        const reader = new FrameReader(false);
        const found: string[] = [];
        for (const chunk of cut(Buffer.concat(messages), places)) {
          reader.push(chunk);
          for (let frame = reader.next(); frame; frame = reader.next())
            found.push(frame.bytes.toString("hex"));
        }
        expect(found).toEqual(messages.map((each) => each.toString("hex")));
        expect(reader.buffered).toBe(0);
      }),
    );
  });

  const broken: [string, Buffer, string][] = [
    ["a frame over the limit", Buffer.from([0x51, 0x7f, 0xff, 0xff, 0xff]), "54000"],
    ["a frame just over the limit", Buffer.concat([Buffer.from("Q"), uint32(maxFrameBytes)]), "54000"],
    ["a frame shorter than its header", Buffer.from([0x51, 0, 0, 0, 3]), "08P01"],
    ["an unknown type", Buffer.from([0x7a, 0, 0, 0, 4]), "08P01"],
    ["a web browser", Buffer.from("GET / HTTP/1.1\r\n\r\n"), "08P01"],
  ];
  it.each(broken)("rejects %s", (_, bytes, sqlState) => {
    const reader = new FrameReader(false);
    reader.push(bytes);
    expect(() => reader.next()).toThrow(expect.objectContaining({ sqlState }));
  });

  it("rejects a startup packet over 10 kB before it has arrived", () => {
    const reader = new FrameReader(true);
    reader.push(uint32(20_000));
    expect(() => reader.next()).toThrow(expect.objectContaining({ sqlState: "54000" }));
  });

  it("joins a large frame from many chunks in linear time", () => {
    const large = message("d", Buffer.alloc(32 * 1024 * 1024));
    const reader = new FrameReader(false);
    for (let at = 0; at < large.length; at += 16_384) {
      expect(reader.next()).toBeNull();
      reader.push(large.subarray(at, at + 16_384));
    }
    expect(reader.next()?.bytes.length).toBe(large.length);
  });
});

describe("OutputScanner", () => {
  it("reports the same however the answer is split", () => {
    const answer = Buffer.concat([
      message("T", Buffer.alloc(40, 1)),
      // Bytes that look like a ReadyForQuery inside a row.
      message("D", readyForQuery),
      errorResponse("ERROR", "42601", "syntax error"),
      message("C", "DEALLOCATE ALL"),
      message("Z", Buffer.from("T")),
    ]);
    fc.assert(
      fc.property(fc.array(fc.nat()), (places) => {
        const scanner = new OutputScanner();
        for (const chunk of cut(answer, places)) scanner.scan(chunk);
        expect(scanner).toMatchObject({ status: "T", tags: ["DEALLOCATE ALL"], copyIn: false });
        expect(Buffer.from(scanner.error ?? []).toString()).toContain("42601");
      }),
    );
  });

  it("detects a waiting COPY, and its end", () => {
    const scanner = new OutputScanner();
    scanner.scan(message("G", Buffer.from([0, 0, 0])));
    expect(scanner.copyIn).toBe(true);
    scanner.scan(message("C", "COPY 3"));
    expect(scanner.copyIn).toBe(false);
  });
});

describe("a statement's text", () => {
  it.each([
    ["begin; set local role authenticated; set local request.jwt.claims = '{}'; commit;", false],
    ["select id from agents for update", false],
    ["copy agents from stdin", false],
    ["update messages set status = 'complete'", false],
    ["insert into counts values (1) on conflict do update set count = 2", false],
    ["select set_config('request.jwt.claims', $1, true), set_config('role', 'anon', true)", false],
    ["select set_config('work_mem', '8MB', false)", true],
    ["select set_config('work_mem', '8MB,true)', false)", true],
    ["select set_config('role', 'anon', true), set_config('work_mem', '8MB', false)", true],
    ["update pg_settings set setting = 1024 where name = 'work_mem'", true],
    ["set work_mem = '8MB'", true],
    ["begin; reset all; commit", true],
    ["select pg_advisory_lock(1)", true],
    ["create temp table mine (n int)", true],
    ["select 1; listen news", true],
    ["do $$ begin end $$", true],
    [`select '${"x".repeat(20_000)}'`, true],
  ])("tells whether it may leave something in the session: %.60s: %s", (sql, isTrace) => {
    expect(leavesTraces(sql)).toBe(isTrace);
  });
});

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}
