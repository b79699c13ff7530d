// Owns which properties of each kind of HubSpot record are read, in display order. Pure.
import type { HubspotObject } from "./declaration.ts";

export type CrmObject = Exclude<HubspotObject, "articles">;

interface RecordKind {
  /** HubSpot's type id, which is part of the URLs of its pages. */
  typeId: string;
  /** The properties that form the title; the first that are set. */
  title: string[][];
  /** Each property with its label. */
  facts: Record<string, string>;
  /** Those of the facts whose value is the id of a pipeline or of one of its stages. */
  inPipelines?: string[];
  /** Properties with prose, possibly in HTML. */
  bodies: string[];
  /** The property with the time of the last change: contacts have their own. */
  modified: string;
  scope: string;
}

const modified = "hs_lastmodifieddate";

export const recordKinds: Record<CrmObject, RecordKind> = {
  companies: {
    typeId: "0-2",
    title: [["name"], ["domain"]],
    facts: {
      domain: "Domain",
      industry: "Industry",
      city: "City",
      country: "Country",
      phone: "Phone",
      numberofemployees: "Employees",
      lifecyclestage: "Stage",
    },
    bodies: ["description"],
    modified,
    scope: "crm.objects.companies.read",
  },
  contacts: {
    typeId: "0-1",
    title: [["firstname", "lastname"], ["email"]],
    facts: {
      jobtitle: "Job",
      company: "Company",
      email: "Email",
      phone: "Phone",
      city: "City",
      country: "Country",
      lifecyclestage: "Stage",
    },
    bodies: [],
    modified: "lastmodifieddate",
    scope: "crm.objects.contacts.read",
  },
  deals: {
    typeId: "0-3",
    title: [["dealname"]],
    facts: {
      amount: "Amount",
      deal_currency_code: "Currency",
      dealstage: "Stage",
      pipeline: "Pipeline",
      closedate: "Closes",
    },
    inPipelines: ["dealstage", "pipeline"],
    bodies: ["description"],
    modified,
    scope: "crm.objects.deals.read",
  },
  tickets: {
    typeId: "0-5",
    title: [["subject"]],
    facts: {
      hs_ticket_priority: "Priority",
      hs_ticket_category: "Category",
      hs_pipeline_stage: "Stage",
      createdate: "Created",
    },
    inPipelines: ["hs_pipeline_stage"],
    bodies: ["content", "hs_resolution"],
    modified,
    scope: "tickets",
  },
  products: {
    typeId: "0-7",
    title: [["name"]],
    facts: { hs_sku: "SKU", price: "Price", hs_product_type: "Type" },
    bodies: ["description"],
    modified,
    scope: "crm.objects.products.read",
  },
  notes: {
    typeId: "0-46",
    title: [],
    facts: { hs_timestamp: "Written" },
    bodies: ["hs_note_body"],
    modified,
    scope: "crm.objects.contacts.read",
  },
};

export function propertiesOf(object: CrmObject): string[] {
  const { title, facts, bodies, modified } = recordKinds[object];
  return [...new Set([...title.flat(), ...Object.keys(facts), ...bodies, modified])];
}
