// The settings that a version of an agent would change, in the reader's language.
import { expect, test } from "vitest";
import { settingText } from "../../web/pages/teams/@teamId/agents/@agentId/versions/setting-text.ts";
import { i18nFor } from "../../web/request/i18n.ts";
import { say } from "../support/words.ts";

const inLanguage = (language: "en" | "fr") => (name: string, value: unknown) =>
  settingText(name, value, { t: i18nFor(language).t, language, names: { k2: "Handbook", k1: "Atlas" } });

test("settings are named as in the agent's form, in each language", () => {
  const retrieval = { topK: 8, mode: "vector", minScore: 0.25 };
  expect(inLanguage("en")("retrieval", retrieval)).toBe(
    "Minimum score: 0.25\nSearch by: Meaning\nPassages: 8",
  );
  expect(inLanguage("fr")("retrieval", retrieval)).toBe(
    "Score minimal\u00a0: 0,25\nRechercher par\u00a0: Sens\nPassages\u00a0: 8",
  );
  expect(inLanguage("fr")("temperature", 0.2)).toBe("0,2");
  expect(inLanguage("en")("unsupportedClaims", "omit")).toBe(say("agents:unsupported.omit"));
  expect(inLanguage("en")("visibility", "public")).toBe("Public");
  expect(inLanguage("en")("knowledgeIds", ["k2", "k1", "other"])).toBe("Atlas\nHandbook\nother");
  expect(inLanguage("en")("instructions", "Be kind.")).toBe("Be kind.");
  expect(inLanguage("en")("model", null)).toBe("");
});
