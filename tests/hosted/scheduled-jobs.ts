// Owns the work of pg_cron's and pg_net's background workers, for the stand-ins of platform/schedule.sql: a tick runs every job as its
// creator, and sends the requested calls.
import { adminUrl, directUrl, withLogin } from "./databases.ts";

interface Asked {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
  timeoutMilliseconds: number;
}

/** @returns the status of each answer, by URL */
export async function runJobs(server: string, ref: string): Promise<Map<string, number>> {
  const jobs = await withLogin(
    adminUrl(server, ref),
    (sql) =>
      sql<{ command: string; username: string }[]>`
      select command, username from cron.job where active and schedule = '* * * * *' order by jobid`,
  );
  for (const { command, username } of jobs)
    await withLogin(directUrl(server, ref, username), (sql) => sql.unsafe(command));
  const asked = await withLogin(
    adminUrl(server, ref),
    (sql) =>
      sql<Asked[]>`
      delete from net.http_request_queue
      returning method, url, headers, body, timeout_milliseconds as "timeoutMilliseconds"`,
  );
  const answers = await Promise.all(
    asked.map(async ({ method, url, headers, body, timeoutMilliseconds }): Promise<[string, number]> => {
      const signal = AbortSignal.timeout(timeoutMilliseconds);
      const response = await fetch(url, { method, headers, body: new Uint8Array(body), signal });
      await response.arrayBuffer();
      return [url, response.status];
    }),
  );
  return new Map(answers);
}
