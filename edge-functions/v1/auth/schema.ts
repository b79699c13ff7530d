// Owns the shapes of the calls that open, renew and recover sessions.
import { z } from "@hono/zod-openapi";
import { id, line, newEmail, pageOf, time } from "../router.ts";
import { locale, newPassword, user, userName } from "../users/schema.ts";

const deviceId = z.literal("app").optional();
/** An e-mail as somebody typed it: what is none simply belongs to nobody. */
const knownEmail = line(320).toLowerCase().openapi({ example: "ada@example.com" });
/** The digits of a mail, or what its link carries. */
const code = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9_-]{4,200}$/)
  .openapi({ example: "0123456789" });

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
  .strictObject({ name: knownEmail.openapi({ description: "The e-mail." }) })
  .openapi("ResendConfirm");

export const forgotPassword = z.strictObject({ email: knownEmail }).openapi("ForgotPassword");

export const newPasswordByCode = z
  .strictObject({
    code,
    username: knownEmail.openapi({ description: "The e-mail." }),
    password: newPassword,
  })
  .openapi("NewPasswordByCode");

export const confirmQuery = z.object({
  code,
  username: knownEmail.openapi({ description: "The e-mail." }),
  redirectUrl: z
    .string()
    .max(2000)
    .optional()
    .openapi({ description: "Where to go on; followed only within the web app." }),
});

export const session = z.object({ ...tokens, user }).openapi("Session");
export const renewed = z.object(tokens).openapi("RenewedSession");
export const directToken = z
  .object({ accessToken: tokens.accessToken, expiresIn: z.int().openapi({ example: 900 }) })
  .openapi("DirectToken");
export const registered = z
  .object({ user, confirmationRequired: z.boolean(), ...z.object(tokens).partial().shape })
  .openapi("Registered");
/** Says the same whether or not there is an account. */
export const sent = z.object({ status: z.literal("accepted") }).openapi("Sent");
export const done = z.object({ status: z.literal("ok") }).openapi("Done");

export const passwordChange = z
  .strictObject({ currentPassword: z.string().min(1).max(1000), password: newPassword })
  .openapi("PasswordChange");
export type PasswordChange = z.infer<typeof passwordChange>;

export const ownSession = z
  .object({
    id,
    createdAt: time,
    usedAt: time.openapi({ description: "When it was opened or last renewed." }),
    userAgent: z.string().nullable().openapi({ description: "The browser or program, as it names itself." }),
    current: z.boolean().openapi({ description: "Whether it is the one that asks." }),
  })
  .openapi("OwnSession");
export type OwnSession = z.infer<typeof ownSession>;
export const ownSessions = pageOf(ownSession).openapi("OwnSessions");
