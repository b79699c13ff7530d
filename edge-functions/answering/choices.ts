// Owns the readings of an ambiguous question: each as a question that can be asked. Does not change the reply. Pure.
import { say } from "../../locales/say.ts";
import type { KeptPassage } from "./passages.ts";
import { replyLanguageOf } from "./reply-language.ts";
import type { SheetPlan } from "./sheet-plan.ts";
import { withYear } from "./sheet-words.ts";
import { isStopWord, terms, words } from "./words.ts";

const mostChoices = 3;
const longestChoice = 300;
/** The minimum score of another reading's passage, as a share of the best one's. */
const closeTo = 0.6;
/** A question with more words of its own is not ambiguous. */
const mostWords = 2;

type Place = Pick<KeptPassage, "title" | "heading" | "content" | "score">;

/** The readings of a question about a table that names neither the table, nor the column, nor the year. */
export function choicesOfTable(question: string, unclear: SheetPlan["unclear"]): string[] {
  if (!unclear) return [];
  const language = replyLanguageOf(question);
  const bare = question.replace(/[\s?!.]+$/u, "").trim();
  if ("years" in unclear) {
    const [first, last] = unclear.years;
    const years = Array.from({ length: Math.min(last - first + 1, mostChoices) }, (_, at) => last - at);
    return choices(years.flatMap((year) => withYear(question.trim(), year) ?? []));
  }
  if ("tables" in unclear)
    return choices(
      unclear.tables.map((name) => say(language, "answers:choices.within", { question: bare, name })),
    );
  return choices(
    unclear.columns.map((name) => say(language, "answers:choices.named", { question: bare, name })),
  );
}

/**
 * The sections that a question of one or two words may mean, when several with that word in their name score about the same. Empty
 * when there is only one such section, or when the sections share another word.
 */
export function choicesOfSections(question: string, passages: Place[]): string[] {
  const own = words(question).filter((word) => !isStopWord(word));
  if (own.length === 0 || own.length > mostWords || words(question).length > 5) return [];
  const best = Math.max(...passages.map(({ score }) => score));
  const roots = terms(question);
  const isCalled = (name: string) => {
    const said = new Set(terms(name));
    return roots.every((root) => said.has(root));
  };
  const found = new Map<string, string>();
  for (const one of passages) {
    if (one.score < closeTo * best) continue;
    for (const subject of subjectsOf(one)) {
      // A question with a section's whole name means that section.
      if (terms(subject).join(" ") === roots.join(" ")) return [];
      const key = terms(subject).join(" ");
      if (isCalled(subject) && !found.has(key))
        found.set(
          key,
          say(replyLanguageOf(question), "answers:choices.about", { subject, title: one.title }),
        );
    }
  }
  return choices([...found.values()]);
}

/** The subjects of a passage: its sections' names or, without sections, its document's title. */
function subjectsOf({ heading, title, content }: Place): string[] {
  const inside = [...content.matchAll(/^#{1,6} +(\S.*)$/gm)].map(([, name = ""]) => name);
  const above = heading.split(" › ").at(-1) ?? "";
  const own = [above, ...inside].map((name) => name.replace(/[*_`#]+/g, "").trim()).filter(Boolean);
  return own.length > 0 ? own : [title.replace(/\.[a-z]{2,5}$/i, "").replace(/[-_]+/g, " ")];
}

function choices(found: string[]): string[] {
  const told = [...new Set(found.map((one) => one.replace(/\s+/g, " ").trim()))].filter(
    (one) => one.length <= longestChoice,
  );
  return told.length < 2 ? [] : told.slice(0, mostChoices);
}
