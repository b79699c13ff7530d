// Owns the schemas of model connections, usage and budgets.
import { z } from "@hono/zod-openapi";
import { modelRoles } from "../../_shared/models/model-connections.ts";
import { refuseAs } from "../../_shared/requests/invalid-fields.ts";
import { completeDates, dates, refuseDates } from "../insights/schema.ts";
import { id, line, pageOf, times } from "../router.ts";
import { timeZone } from "../time-zones.ts";
import { providers } from "./presets.ts";

const provider = z.enum(providers).openapi({
  description:
    "A service by name, which needs no address, or `custom` for any service that speaks OpenAI's protocol.",
});
const modelRole = z.enum(modelRoles).openapi({
  description:
    "The model's purpose: to answer, to answer if the first one cannot, to embed, or to read scanned pages and images.",
});

const price = z.number().min(0).max(100_000).nullable().openapi({
  description: "US dollars per million tokens. Null: unknown, and not counted as cost.",
});

const settings = {
  provider,
  baseUrl: z.url().max(500).optional().openapi({
    description: "Absent: the address of the named service.",
    example: "https://api.example.com/v1",
  }),
  model: line(200).openapi({ example: "gpt-4.1-mini" }),
  apiKey: z
    .string()
    .trim()
    .max(2000)
    .refine((key) => /^[\x21-\x7e]*$/.test(key), refuseAs("key"))
    .optional()
    .openapi({ description: "Absent: the key already stored for the same address." }),
  promptPrice: price.optional(),
  completionPrice: price.optional(),
};

export const newConnection = z.strictObject({ role: modelRole, ...settings }).openapi("NewModelConnection", {
  example: { role: "chat", provider: "openai", model: "gpt-4.1-mini", apiKey: "sk-your-key" },
});
export type NewConnection = z.infer<typeof newConnection>;

export const connectionUpdate = z
  .strictObject(settings)
  .partial()
  .openapi("ModelConnectionUpdate", {
    description:
      "Absent fields keep their values. With another provider the address defaults to that provider's; with another model or " +
      "address an absent price becomes unknown.",
    example: { model: "gpt-4.1" },
  });
export type ConnectionUpdate = z.infer<typeof connectionUpdate>;

export const connection = z
  .object({
    id: id.openapi({ description: "Replacing an embedding model creates a new id." }),
    teamId: id.nullable().openapi({ description: "Null: the installation's." }),
    role: modelRole,
    provider,
    baseUrl: z.string().nullable().openapi({ description: "Null for callers who may not change it." }),
    model: z.string(),
    hasKey: z.boolean().openapi({ description: "The key itself is never returned." }),
    dimensions: z.int().nullable().openapi({ description: "For an embedding model." }),
    promptPrice: price,
    completionPrice: price,
    ...times,
  })
  .openapi("ModelConnection");
export type Connection = z.infer<typeof connection>;

const used = z.object({
  model: z.string(),
  from: z
    .enum(["team", "installation", "environment"])
    .openapi({ description: "The owner of the connection." }),
  hasPrice: z.boolean(),
});

const modelsInUse = z
  .object({
    chat: used,
    fallback: used.nullable(),
    embedding: used,
    vision: used.nullable(),
    offline: z.boolean().openapi({
      description: "True if the built-in model answers, which quotes passages and ignores instructions.",
    }),
  })
  .openapi("ModelsInUse");

const presetList = z
  .array(
    z.object({
      provider,
      baseUrl: z.string().nullable(),
      chatModel: z.string().nullable(),
      embeddingModel: z.string().nullable(),
      needsKey: z.boolean(),
    }),
  )
  .openapi("ModelPresets");

const moving = z.int().openapi({
  description: "Knowledge bases that still use another space than the embedding model's.",
});

export const modelList = pageOf(connection)
  .extend({ inUse: modelsInUse, moving, presets: presetList })
  .openapi("ModelConnectionList");

export const testedModel = z
  .object({
    milliseconds: z.int().openapi({ description: "Until the first word, or the embedding." }),
    dimensions: z.int().nullable().openapi({ description: "For an embedding model." }),
  })
  .openapi("TestedModel");

export const localModels = z
  .object({
    data: z.array(
      z.object({
        provider: z.enum(["ollama", "lmstudio"]),
        baseUrl: z.string(),
        chatModels: z.array(z.string()),
        embeddingModels: z.array(z.string()),
      }),
    ),
  })
  .openapi("LocalModels");
export type LocalModels = z.infer<typeof localModels>;

const dollars = z.number().min(0).max(10_000_000).nullable();

export const budget = z
  .object({
    cap: dollars.openapi({ description: "The team's own cap, in US dollars per month (UTC)." }),
    installationCap: dollars.openapi({
      description:
        "Of the installation's models, not the team's own connections. Set by the operator and platform admins alone.",
    }),
    warnPercent: z
      .int()
      .openapi({ description: "Percentage of the cap at which the owners receive a mail." }),
    spent: z.number().openapi({ description: "This month, on all models." }),
    installationSpent: z.number().openapi({ description: "The part of it on the installation's models." }),
    reserved: z.number().openapi({ description: "For calls in progress." }),
    isNear: z.boolean().openapi({ description: "Whether that percentage is reached." }),
    isReached: z.boolean().openapi({ description: "Whether agents have stopped answering." }),
  })
  .openapi("ModelBudget");
export type Budget = z.infer<typeof budget>;

export const budgetUpdate = z
  .strictObject({ cap: dollars, warnPercent: z.int().min(1).max(100).optional() })
  .openapi("ModelBudgetUpdate");

export const installationCap = z.strictObject({ installationCap: dollars }).openapi("InstallationCap");

const tokens = z.int();
const usageRow = z
  .object({
    date: z.iso
      .date()
      .nullable()
      .openapi({ description: "The first day of the day, week or month. Weeks start on Monday." }),
    agentId: id.nullable(),
    agentName: z.string().nullable().openapi({ description: "Null without an agent, or if it was deleted." }),
    channel: z
      .string()
      .nullable()
      .openapi({ description: "A chat's channel, or `mcp`, `search` or `indexing`." }),
    model: z.string().nullable(),
    calls: z.int(),
    promptTokens: tokens,
    completionTokens: tokens,
    estimatedTokens: tokens.openapi({
      description: "Tokens of both kinds that the provider did not report.",
    }),
    unpricedTokens: tokens.openapi({ description: "Tokens of both kinds of a model without a price." }),
    cost: z.number().openapi({ description: "US dollars." }),
  })
  .openapi("ModelUsage");
export type UsageRow = z.infer<typeof usageRow>;

const usageGroups = ["day", "week", "month", "agent", "channel", "model"] as const;

/** Defaults to the last 30 days. */
export const usageQuery = z
  .object({
    ...dates,
    timeZone,
    group: z
      .enum(usageGroups)
      .default("day")
      .openapi({ description: "Fields that do not apply to a row are null." }),
  })
  .transform(completeDates)
  .superRefine(refuseDates);
export type UsageQuery = z.infer<typeof usageQuery>;

export const usageList = z.object({ data: z.array(usageRow), total: usageRow }).openapi("ModelUsageList");

export const teamCosts = z
  .object({
    id,
    name: z.string(),
    codename: z.string(),
    tokens: z.int().openapi({ description: "This month." }),
    ...budget.shape,
  })
  .openapi("TeamCosts");
export type TeamCosts = z.infer<typeof teamCosts>;
