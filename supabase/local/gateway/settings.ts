// Owns the gateway's settings, read from its environment once at start.
import { z } from "zod";

const Environment = z.object({
  PORT: z.coerce.number().int().positive(),
  /** A superuser's login: lite provisions auth and storage, and switches roles per request. */
  DATABASE_URL: z.string().min(1),
  JWT_SECRET: z.string().min(32),
  SUPABASE_ANON_KEY: z.string().min(1),
  SUPABASE_SERVICE_ROLE_KEY: z.string().min(1),
  SUPABASE_URL: z.url(),
  WEB_URL: z.url(),
  SMTP_URL: z.string().min(1),
  STORAGE_DIR: z.string().min(1),
  MAIL_FROM: z.string().default("Parley <no-reply@parley.test>"),
  /** JSON object that maps an edge function's name to the address of its process. */
  FUNCTIONS: z
    .string()
    .default("{}")
    .transform((text, context) => {
      const parsed = z.record(z.string(), z.url()).safeParse(JSON.parse(text));
      if (parsed.success) return parsed.data;
      context.addIssue({ code: "custom", message: "FUNCTIONS must map names to addresses" });
      return z.NEVER;
    }),
});

export type GatewaySettings = ReturnType<typeof readGatewaySettings>;

/** @throws ZodError that names each missing or invalid variable. */
export function readGatewaySettings(env: NodeJS.ProcessEnv) {
  const values = Environment.parse(env);
  return {
    port: values.PORT,
    databaseUrl: values.DATABASE_URL,
    jwtSecret: values.JWT_SECRET,
    anonKey: values.SUPABASE_ANON_KEY,
    serviceKey: values.SUPABASE_SERVICE_ROLE_KEY,
    supabaseUrl: values.SUPABASE_URL,
    webUrl: values.WEB_URL,
    smtpUrl: values.SMTP_URL,
    storageDir: values.STORAGE_DIR,
    mailFrom: values.MAIL_FROM,
    functions: values.FUNCTIONS,
  };
}
