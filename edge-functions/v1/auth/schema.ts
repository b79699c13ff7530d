// Owns the schemas of the endpoints that open, renew and recover sessions.
import { z } from "@hono/zod-openapi";
import { id, line, newEmail, pageOf, time } from "../router.ts";
import { locale, newPassword, user, userName } from "../users/schema.ts";

const deviceId = z.literal("app").optional();
/** An email as typed. An invalid one matches no account. */
const knownEmail = line(320).toLowerCase().openapi({ example: "ada@example.com" });
const code = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9_-]{4,200}$/)
  .openapi({ example: "0123456789", description: "The digits in the mail, or the token in its link." });

const tokens = {
  accessToken: z.string(),
  refreshToken: z.string(),
  expiresIn: z.int().openapi({ description: "Seconds until the access token expires.", example: 3600 }),
};

export const login = z
  .strictObject({ email: knownEmail, password: z.string().min(1).max(1000), deviceId })
  .openapi("Login");

export const registration = z
  .strictObject({
    name: userName,
    email: newEmail,
    password: newPassword,
    deviceId,
    locale: locale.optional(),
  })
  .openapi("Registration");
export type Registration = z.infer<typeof registration>;

export const refresh = z
  .strictObject({ token: z.string().regex(/^[\x21-\x7e]{1,2000}$/) })
  .openapi("Refresh");

export const resendConfirm = z
  .strictObject({ name: knownEmail.openapi({ description: "The email." }) })
  .openapi("ResendConfirm");

export const forgotPassword = z.strictObject({ email: knownEmail }).openapi("ForgotPassword");

export const newPasswordByCode = z
  .strictObject({
    code,
    username: knownEmail.openapi({ description: "The email." }),
    password: newPassword,
  })
  .openapi("NewPasswordByCode");

export const confirmQuery = z.object({
  code,
  username: knownEmail.openapi({ description: "The email." }),
  redirectUrl: z
    .string()
    .max(2000)
    .optional()
    .openapi({ description: "Where to redirect, only within the web app." }),
  signIn: z.enum(["true", "false"]).default("false").openapi({
    description:
      "Whether the response opens a session. It does not if the address was registered more than once, or with redirectUrl.",
  }),
});

export const session = z.object({ ...tokens, user }).openapi("Session");
export const renewed = z.object(tokens).openapi("RenewedSession");
export const directToken = z
  .object({ accessToken: tokens.accessToken, expiresIn: z.int().openapi({ example: 900 }) })
  .openapi("DirectToken");
export const registered = z
  .object({ user, confirmationRequired: z.boolean(), ...z.object(tokens).partial().shape })
  .openapi("Registered");
/** The same whether or not the account exists. */
export const sent = z.object({ status: z.literal("accepted") }).openapi("Sent");
export const done = z.object({ status: z.literal("ok") }).openapi("Done");
export const confirmed = z
  .object({
    status: z.literal("ok"),
    verified: z.boolean().openapi({
      description:
        "False if the address was registered more than once: all its passwords are invalid, and a mail to choose one is sent.",
    }),
    ...z.object(tokens).partial().shape,
  })
  .openapi("Confirmed");

export const passwordChange = z
  .strictObject({ currentPassword: z.string().min(1).max(1000), password: newPassword })
  .openapi("PasswordChange");
export type PasswordChange = z.infer<typeof passwordChange>;

const ownSession = z
  .object({
    id,
    createdAt: time,
    usedAt: time.openapi({ description: "When it was opened or last renewed." }),
    userAgent: z
      .string()
      .nullable()
      .openapi({ description: "The browser or program, as it identifies itself." }),
    current: z.boolean().openapi({ description: "Whether it is the calling session." }),
  })
  .openapi("OwnSession");
export type OwnSession = z.infer<typeof ownSession>;
export const ownSessions = pageOf(ownSession).openapi("OwnSessions");

const emailChange = z
  .object({
    email: z.string().openapi({ description: "The new email.", example: "ada@example.com" }),
    askedAt: time,
    expiresAt: time.openapi({ description: "When the links in its mails expire." }),
    confirmedByCurrent: z
      .boolean()
      .openapi({ description: "Whether the link sent to the current email was opened." }),
    confirmedByNew: z
      .boolean()
      .openapi({ description: "Whether the link sent to the new email was opened." }),
  })
  .openapi("EmailChange");
export type EmailChange = z.infer<typeof emailChange>;
export const ownEmail = z.object({ email: z.string(), pending: emailChange.nullable() }).openapi("OwnEmail");
export type OwnEmail = z.infer<typeof ownEmail>;

export const newOwnEmail = z
  .strictObject({ email: newEmail, currentPassword: z.string().min(1).max(1000) })
  .openapi("NewOwnEmail");
export type NewEmail = z.infer<typeof newOwnEmail>;
export const emailCode = z.strictObject({ code }).openapi("EmailCode");
export const emailChanged = z
  .object({
    status: z.enum(["changed", "waiting"]),
    waitsFor: z
      .enum(["current", "new"])
      .nullable()
      .openapi({ description: "Whose link has not been opened yet." }),
  })
  .openapi("EmailChanged");
export type EmailChanged = z.infer<typeof emailChanged>;
