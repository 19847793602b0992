import type { Command } from "commander";
import type { TextSink } from "../../src/io/terminal.ts";
import type { Finding } from "../../src/lib/findings.ts";

/** What a command may touch besides files: its two streams. */
export interface Door {
  readonly stdout: TextSink;
  readonly stderr: TextSink;
}

/**
 * One verb of `bench`. `action` gives the findings it came to; the door prints them, and the exit code
 * follows: 1 when any of them is an error, else 0. Wrong usage is commander's business and exits with 2.
 */
export interface BenchCommand<Options> {
  /** The words after `bench`, for example `recipe run`, or one word that needs no group. */
  readonly words: Words;
  readonly summary: string;
  /** The verb that a group takes when its next word is none of its verbs. */
  readonly isDefault?: boolean;
  /** Declares options, and arguments; the action gets both by their names. */
  readonly declare: (command: Command) => Command;
  readonly action: (options: Options, door: Door) => Promise<Finding[]>;
  /** The exit code, for a verb whose callers tell failures apart by it. */
  readonly exitOf?: ExitOf;
}

export type ExitOf = (findings: readonly Finding[]) => number;

export type Words = readonly [group: string, verb: string] | readonly [verb: string];

/** A verb ready for the registry: its options' type is its own affair. */
export interface RegisteredCommand {
  readonly words: Words;
  readonly summary: string;
  readonly attach: (
    command: Command,
    door: Door,
    done: (findings: Finding[], exitOf?: ExitOf) => void,
  ) => void;
}

/** Makes a verb ready for the registry. */
export const register = <Options>(command: BenchCommand<Options>): RegisteredCommand => ({
  words: command.words,
  summary: command.summary,
  attach(parent, door, done) {
    command
      .declare(
        parent
          .command(command.words.at(-1) ?? "", { isDefault: command.isDefault === true })
          .description(command.summary),
      )
      .allowExcessArguments(false)
      .action(async (...given: unknown[]) => {
        // Commander passes every argument, then the options, then the command itself.
        const self = given.at(-1) as Command;
        const named = self.registeredArguments.map((argument, index) => [argument.name(), given[index]]);
        const options = { ...self.opts(), ...Object.fromEntries(named) } as Options;
        done(await command.action(options, door), command.exitOf);
      });
  },
});
