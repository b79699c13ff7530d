// Owns the shapes of connections to models, of what they took and of budgets.
import { z } from "@hono/zod-openapi";
import { modelRoles } from "../../_shared/models/model-connections.ts";
import { completeDates, refuseDates } from "../insights/schema.ts";
import { id, line, pageOf, times } from "../router.ts";
import { timeZone } from "../time-zones.ts";
import { providers } from "./presets.ts";

const provider = z.enum(providers).openapi({
  description:
    "A service by name, whose address need not be given, or `custom` for any that speaks OpenAI's protocol.",
});
const modelRole = z.enum(modelRoles).openapi({
  description:
    "What the model is for: to answer, to answer where the first cannot, to embed, or to read scanned pages and pictures.",
});

const price = z.number().min(0).max(100_000).nullable().openapi({
  description: "In US dollars per million tokens; null: not known, and not counted as cost.",
});

const settings = {
  provider,
  baseUrl: z.url().max(500).optional().openapi({
    description: "Absent: the address of the service that is named.",
    example: "https://api.example.com/v1",
  }),
  model: line(200).openapi({ example: "gpt-4.1-mini" }),
  apiKey: z
    .string()
    .trim()
    .max(2000)
    .regex(/^[\x21-\x7e]*$/)
    .optional()
    .openapi({ description: "Absent: the key that is kept already for the same address." }),
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
      "What is absent stays. With another provider the address is that one's, and with another model or address a price that is " +
      "absent is no longer known.",
    example: { model: "gpt-4.1" },
  });
export type ConnectionUpdate = z.infer<typeof connectionUpdate>;

export const connection = z
  .object({
    id: id.openapi({ description: "An embedding model that is replaced by another gets another id." }),
    teamId: id.nullable().openapi({ description: "Null: the installation's." }),
    role: modelRole,
    provider,
    baseUrl: z.string().nullable().openapi({ description: "Null for those who may not change it." }),
    model: z.string(),
    hasKey: z.boolean().openapi({ description: "The key itself is shown to nobody." }),
    dimensions: z.int().nullable().openapi({ description: "Of an embedding model." }),
    promptPrice: price,
    completionPrice: price,
    ...times,
  })
  .openapi("ModelConnection");
export type Connection = z.infer<typeof connection>;

const used = z.object({
  model: z.string(),
  from: z.enum(["team", "installation", "environment"]).openapi({ description: "Whose connection it is." }),
  hasPrice: z.boolean(),
});

const modelsInUse = z
  .object({
    chat: used,
    fallback: used.nullable(),
    embedding: used,
    vision: used.nullable(),
    offline: z.boolean().openapi({
      description: "True where the built-in model answers, which quotes passages and takes no instructions.",
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
  description:
    "Knowledge bases that are still in another space than the embedding model's, and answer from it.",
});

export const modelList = pageOf(connection)
  .extend({ inUse: modelsInUse, moving, presets: presetList })
  .openapi("ModelConnectionList");

export const testedModel = z
  .object({
    milliseconds: z.int().openapi({ description: "Until the first word, or the embedding." }),
    dimensions: z.int().nullable().openapi({ description: "Of an embedding model." }),
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
    cap: dollars.openapi({ description: "The team's own, in US dollars per month (UTC)." }),
    installationCap: dollars.openapi({
      description: "Set by a platform admin; the lower of the two counts.",
    }),
    warnPercent: z.int().openapi({ description: "At which share of the cap the owners get a mail." }),
    spent: z.number().openapi({ description: "This month." }),
    reserved: z.number().openapi({ description: "By calls that are being made." }),
    isNear: z.boolean().openapi({ description: "Whether the share is reached." }),
    isReached: z.boolean().openapi({ description: "Whether agents no longer answer." }),
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
      .openapi({ description: "The first day of the day, week or month; weeks begin on Monday." }),
    agentId: id.nullable(),
    agentName: z
      .string()
      .nullable()
      .openapi({ description: "Null where it is no agent's, or the agent is gone." }),
    channel: z.string().nullable().openapi({ description: "A chat's, or `mcp`, `search` or `indexing`." }),
    model: z.string().nullable(),
    calls: z.int(),
    promptTokens: tokens,
    completionTokens: tokens,
    estimatedTokens: tokens.openapi({ description: "Of both, those that the provider did not report." }),
    unpricedTokens: tokens.openapi({ description: "Of both, those of a model without a price." }),
    cost: z.number().openapi({ description: "In US dollars." }),
  })
  .openapi("ModelUsage");
export type UsageRow = z.infer<typeof usageRow>;

const usageGroups = ["day", "week", "month", "agent", "channel", "model"] as const;

/** The last 30 days where no dates are given. */
export const usageQuery = z
  .object({
    dateStart: z.iso.date().optional(),
    dateEnd: z.iso.date().optional(),
    timeZone,
    group: z
      .enum(usageGroups)
      .default("day")
      .openapi({ description: "What a row does not stand for is null in it." }),
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
