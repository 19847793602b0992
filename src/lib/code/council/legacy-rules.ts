import type { Category } from "../schema/names.ts";

/** One keyword rule: a finding whose text it matches gets its category. */
export interface KeywordRule {
  readonly category: Category;
  readonly pattern: RegExp;
  /** Why it stands, and why here. */
  readonly reason: string;
}

/**
 * The rules by which findings of the time before categories are sorted, first match wins: words that are not true, then
 * slop that names itself, then what was not delivered, then what the program does, then form. Who disagrees writes an
 * override with a reason, and leaves the rules as they are: they say what was done to a committed run.
 */
export const KEYWORD_RULES: readonly KeywordRule[] = [
  {
    category: "misleading-docs",
    pattern:
      /\b(?:comments?|docs?|doc comments?|documentation|docstrings?|readme|error messages?)\b[^.;]{0,60}\b(?:wrong|false|untrue|misleading|incorrect|inaccurate|outdated|stale|contradicts?|claims?|lies|says? otherwise)\b|\b(?:wrong|false|misleading|stale|outdated|inaccurate|incorrect|untrue)\b[^.;]{0,30}\b(?:comments?|docs?|documentation|docstrings?|readme|names?)\b|\bmisnamed\b/i,
    reason:
      "A statement that is not true is slop, whatever it is about: before rules that only see its subject.",
  },
  {
    category: "dead-code",
    pattern:
      /\b(?:dead (?:code|branch|store|arm)|unreachable|unused|never (?:called|used|reached|read|executed|taken)|no longer used|left-?overs?)\b/i,
    reason: "Names code that nothing needs.",
  },
  {
    category: "redundancy",
    pattern:
      /\b(?:duplicat\w*|redundan\w*|copy[- ]?past\w*|copied (?:code|logic|table)|re-?implement\w*|(?:same|identical) (?:code|logic|check|table|loop)\w*|checked twice|computed twice)\b/i,
    reason: "Names the same thing twice.",
  },
  {
    category: "verbosity",
    pattern:
      /\b(?:verbos\w*|boilerplate|over-?(?:comment|engineer|document|complicat)\w*|bloat\w*|long-winded|excessive(?:ly)? (?:comment|long|document)\w*|restat\w+|narrat\w+|obvious comments?|needless(?:ly)? (?:long|complex|abstract)\w*)\b/i,
    reason: "Names more words or code than needed.",
  },
  {
    category: "tests",
    pattern:
      /\buntested\b|\b(?:no|not|missing|lacks?|lacking|without|weak|few|insufficient|incomplete|trivial|thin|absent)\b[^.;]{0,40}\b(?:tests?|tested|test coverage|coverage|assertions?)\b|\b(?:tests?|coverage|assertions?)\b[^.;]{0,50}\b(?:missing|weak|only|never|do(?:es)? not|don't|doesn't|trivial|vacuous\w*|lacks?|thin|absent|incomplete|can only pass)\b/i,
    reason: "What the tests lack, before rules that see what the missing test is about.",
  },
  {
    category: "docs",
    pattern:
      /\b(?:undocumented|not documented)\b|\b(?:no|missing|lacks?|lacking|without|thin|sparse)\b[^.;]{0,20}\b(?:docs?|doc comments?|documentation|comments?|docstrings?|readme|explanation)\b|\b(?:docs?|documentation|comments?|readme)\b[^.;]{0,40}\b(?:missing|absent|lacking|thin|sparse|do(?:es)? not (?:say|state|mention|explain|cover)|never (?:says?|states?|mentions?|explains?))\b/i,
    reason: "What the documentation lacks.",
  },
  {
    category: "abi",
    pattern:
      /\b(?:abi|calling convention|exported symbols?|symbol names?|struct layout|return type|ffi|linkage|public (?:api|interface)|(?:function|api|method) signatures?|wrong signature|exit codes?)\b/i,
    reason: "The agreed interface, before general words for what is wrong with it.",
  },
  {
    category: "robustness",
    pattern:
      /\b(?:panics?|panicking|crash\w*|overflow\w*|underflow\w*|out[- ]of[- ]bounds|bounds? check\w*|null pointers?|unchecked|unwraps?|leaks?|leaking|malformed|truncated|corrupt\w*|hostile|invalid input|denial|hangs?|infinite loop|undefined behaviou?r|UB|uninitiali[sz]ed|data race|use[- ]after[- ]free|not? validat\w*|unvalidated)\b/i,
    reason: "Fails badly on bad input or under stress.",
  },
  {
    category: "performance",
    pattern:
      /\b(?:slow\w*|performance|allocat\w*|quadratic|inefficien\w*|needless cop\w+|unnecessary cop\w+|hot (?:loop|path)|inner loop|cache miss\w*|throughput|latency)\b|\bO\(n/i,
    reason: "Slower or larger than it has to be.",
  },
  {
    category: "correctness",
    pattern:
      /\b(?:wrong|incorrect\w*|bugs?|buggy|off[- ]by[- ]one|mis(?:reads?|computes?|handles?|encodes?|decodes?|orders?)|do(?:es)? not (?:handle|match|follow|conform|round-?trip|implement|support|decode|encode)|fails? (?:to|for|on|when|with)|violat\w*|deviat\w*|breaks? the (?:spec|contract)|drops? (?:the|bytes?|bits?|data)|loses? (?:the|bytes?|bits?|data|precision)|diverges?)\b/i,
    reason:
      "Another result than agreed. After the rules above, since these words also describe their findings.",
  },
  {
    category: "style",
    pattern:
      /\b(?:style|stylistic|naming|names? (?:could|is|are)|formatting|indent\w*|clippy|lint\w*|whitespace|magic (?:numbers?|constants?)|conventions?|idiom\w*|readab\w*|inconsisten\w*|visibility|nitpick)\b/i,
    reason: "Form only, when nothing else was said.",
  },
];

/** The category of a finding by its words; null when no rule knows them. */
export const classifyByKeywords = (text: string): Category | null =>
  KEYWORD_RULES.find(({ pattern }) => pattern.test(text))?.category ?? null;
