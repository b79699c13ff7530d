// Owns changing an account's address: requested with the password, applied once the old and the new mailbox have confirmed. Only the owner
// of the new mailbox learns whether that address has an account. See docs/decisions/0010-accounts.md.
import { createHash, randomBytes } from "node:crypto";
import type { LanguageCode } from "../../../locales/registry.ts";
import {
  asCaller,
  asService,
  type Claims,
  readAsCaller,
  type Transaction,
} from "../../_shared/database/db.ts";
import { type Mail, sendMail } from "../../_shared/mail/mail.ts";
import { log } from "../../_shared/operation/log.ts";
import * as authServer from "../../_shared/requests/auth-server.ts";
import { ApiError, refuseField } from "../../_shared/requests/errors.ts";
import { type ClientAddress, hitsOf, mailsTo, secondsToWait, take } from "../../_shared/requests/limits.ts";
import { inBackground } from "../background.ts";
import { accountOf, sessionOfClaims } from "./accounts.ts";
import {
  addressChangedMail,
  addressInUseMail,
  currentAddressMail,
  newAddressMail,
} from "./email-change-mails.ts";
import { checkPassword } from "./own-sessions.ts";
import type { EmailChange, EmailChanged, NewEmail, OwnEmail } from "./schema.ts";

type Owner = { id: string; claims: Claims };

/** The caller's address and the pending change. */
export async function readOwnEmail({ id, claims }: Owner): Promise<OwnEmail> {
  const { email } = await accountOf(id, claims);
  return { email, pending: (await readAsCaller(claims, pendingOf)) ?? null };
}

const pendingOf = async (tx: Transaction): Promise<EmailChange | undefined> =>
  (await tx<EmailChange[]>`select * from private.my_email_change()`)[0];

/**
 * Asks both mailboxes to confirm a change of address. Replaces a pending change.
 * @throws ApiError VALIDATION_FAILED at currentPassword or email, RATE_LIMITED
 */
export async function askEmailChange(
  owner: Owner,
  { email, currentPassword }: NewEmail,
  addresses: ClientAddress[],
): Promise<OwnEmail> {
  const { email: current } = await accountOf(owner.id, owner.claims);
  const accessToken = await checkPassword(owner.id, current, currentPassword, addresses);
  await authServer.signOut(accessToken, "local");
  if (email === current.toLowerCase()) {
    throw refuseField("email", "emailSame");
  }
  await ask(owner.id, sessionOfClaims(owner.claims), email, addresses);
  return await readOwnEmail(owner);
}

/** Resends the mails of the pending change, with new codes. @throws ApiError NOT_FOUND, RATE_LIMITED */
export async function resendEmailChange(owner: Owner, addresses: ClientAddress[]): Promise<OwnEmail> {
  const pending = await readAsCaller(owner.claims, pendingOf);
  if (!pending) throw new ApiError("NOT_FOUND");
  await ask(owner.id, null, pending.email, addresses);
  return await readOwnEmail(owner);
}

/** @throws ApiError NOT_FOUND */
export async function cancelEmailChange({ claims }: Owner): Promise<void> {
  const [row] = await asCaller(
    claims,
    (tx) => tx<{ was: boolean }[]>`select private.cancel_my_email_change() as was`,
  );
  if (!row?.was) throw new ApiError("NOT_FOUND");
}

/**
 * Confirms a change for one mailbox, by the code of its mail.
 * @throws ApiError VALIDATION_FAILED for a wrong or expired code, USER_EXISTS if the address has an account by now
 */
export async function confirmEmailChange(code: string, addresses: ClientAddress[]): Promise<EmailChanged> {
  await take(hitsOf("code", addresses));
  type Row = { outcome: string; oldEmail: string; newEmail: string; locale: LanguageCode };
  const [row] = await asService(
    (tx) => tx<Row[]>`select * from private.confirm_email_change(${digestOf(code)})`,
  );
  switch (row?.outcome) {
    case "changed":
      inBackground(
        send(
          addressChangedMail({ currentEmail: row.oldEmail, newEmail: row.newEmail, language: row.locale }),
        ),
        "mail: email changed",
      );
      return { status: "changed", waitsFor: null };
    case "current":
    case "new":
      return { status: "waiting", waitsFor: row.outcome };
    case "taken":
      throw new ApiError("USER_EXISTS");
    default:
      throw refuseField("code", "codeSpent");
  }
}

/** @param session the one that the change spares; null for a resend, which keeps that of the request */
async function ask(
  id: string,
  session: string | null,
  email: string,
  addresses: ClientAddress[],
): Promise<void> {
  await take(hitsOf("emailChange", addresses, id));
  const codes = { ofNew: newCode(), ofCurrent: newCode() };
  type Row = { currentEmail: string; locale: LanguageCode; isTaken: boolean };
  const [row] = await asService(
    (tx) => tx<Row[]>`
      select * from private.ask_email_change(
        ${id}, ${session}, ${email}, ${digestOf(codes.ofNew)}, ${digestOf(codes.ofCurrent)})`,
  );
  if (!row) throw new ApiError("NOT_AUTHENTICATED");
  const { currentEmail, locale: language, isTaken } = row;
  const change = { currentEmail, newEmail: email, language };
  inBackground(
    sendWhereDue(currentAddressMail({ ...change, code: codes.ofCurrent })),
    "mail: email change, current",
  );
  const toNew = isTaken ? addressInUseMail(change) : newAddressMail({ ...change, code: codes.ofNew });
  inBackground(sendWhereDue(toNew), "mail: email change, new");
}

async function sendWhereDue(mail: Mail): Promise<void> {
  if ((await secondsToWait(mailsTo(mail.to, "emailChange"))) > 0) {
    log("info", "a mail was not sent: its address has reached the limit", { kind: "emailChange" });
    return;
  }
  await send(mail);
}

const send = async (mail: Mail): Promise<void> => void (await sendMail(mail));
const newCode = () => randomBytes(32).toString("base64url");
const digestOf = (code: string) => createHash("sha256").update(code).digest();
