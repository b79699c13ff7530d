// Owns the stand-in projects' surroundings: the server with the platform's roles, the pooler, the Management API, a mailbox, models, and
// Slack.
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSmtpServer } from "../../supabase/local/mailbox/smtp.ts";
import { MailStore, type StoredMail } from "../../supabase/local/mailbox/store.ts";
import { SlackFake } from "../support/fakes/slack.ts";
import { startOfflineModels } from "../support/offline-models.ts";
import { reservePort } from "../support/runner/port-offset.mjs";
import { machine } from "./cli.ts";
import { prepareServer } from "./databases.ts";
import { ManagementApi } from "./management-api.ts";
import { startPooler } from "./pooler.ts";
import type { World } from "./project.ts";

export interface RunningWorld extends World {
  slack: SlackFake;
  mails(): StoredMail[];
  stop(): Promise<void>;
}

/** @param refs of the projects to come */
export async function startWorld(refs: string[]): Promise<RunningWorld> {
  const server = machine("HOSTED_SERVER_URL");
  const folder = mkdtempSync(join(tmpdir(), "parley-hosted-"));
  // The pooler's ports are fixed, so it gets an address of its own.
  const poolerHost = `127.${randomInt(64, 250)}.${randomInt(1, 250)}.${randomInt(1, 250)}`;
  await prepareServer(server);
  const [pooler, management, models, slack, mails, smtpPort] = await Promise.all([
    startPooler(server, refs, poolerHost),
    new ManagementApi().start(),
    startOfflineModels(),
    new SlackFake().start(),
    MailStore.open(join(folder, "mails")),
    reservePort(),
  ]);
  const smtp = createSmtpServer(mails);
  await new Promise<void>((resolve) => smtp.listen(smtpPort, "127.0.0.1", () => resolve()));
  return {
    ...{ server, folder, poolerHost, management, slack },
    ...{ smtpUrl: `smtp://127.0.0.1:${smtpPort}`, modelsUrl: models.baseUrl, slackUrl: slack.apiUrl },
    mails: () => mails.list(),
    stop: async () => {
      await Promise.all([pooler.stop(), management.stop(), models.stop(), slack.stop()]);
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
