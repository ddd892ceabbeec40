package dev.millrace.command.instance;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The processors that instances are bound to, assigned round-robin. The start script checks, on the instance's machine,
 * whether the processors exist.
 *
 * @param sets in the format of startwlevs.sh, for example {@code 0-3} or {@code 0,2}; empty: no change
 */
public record ProcessorSets(List<String> sets)
{
    /** Changes nothing. */
    public static final ProcessorSets NONE = new ProcessorSets(List.of());

    private static final String RANGE = "(0|[1-9]\\d{0,3})(-(0|[1-9]\\d{0,3}))?";
    private static final Pattern SET = Pattern.compile(RANGE + "(," + RANGE + ")*");

    public ProcessorSets
    {
        sets = List.copyOf(sets);
    }

    /**
     * Parses several sets.
     *
     * @param option for messages
     * @param text   sets separated by commas; within a set, a plus sign replaces the comma; {@code null} without the
     *               option
     * @return sets, or {@link #NONE}
     * @throws CommandException when the text is invalid
     */
    public static ProcessorSets several(final String option, final String text)
    {
        if (text == null)
        {
            return NONE;
        }
        final List<String> sets = new ArrayList<>();
        for (final String set : text.split(",", -1))
        {
            sets.add(checked(option, text, set.replace('+', ',')));
        }
        return new ProcessorSets(sets);
    }

    /**
     * Parses one set.
     *
     * @param option for messages
     * @param text   in the format of startwlevs.sh; {@code null} without the option
     * @return this set for all instances, or {@link #NONE}
     * @throws CommandException when the text is invalid
     */
    public static ProcessorSets one(final String option, final String text)
    {
        return text == null ? NONE : new ProcessorSets(List.of(checked(option, text, text)));
    }

    /**
     * Returns the set of one instance under round-robin assignment.
     *
     * @param number number of the instance, from 0
     * @return its set only, or none
     */
    public ProcessorSets only(final int number)
    {
        return sets.isEmpty() ? NONE : new ProcessorSets(List.of(sets.get(number % sets.size())));
    }

    private static String checked(final String option, final String text, final String set)
    {
        if (!SET.matcher(set).matches())
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0193",
                "invalid processors, " + option + "=" + text + " at=" +
                set, "the form of one set is 0-3 or 0,2; several are 0-3,4-7 or 0+2,1+3; on Solaris each is a number");
        }
        return set;
    }

    /** Returns the files of an instance with its set. */
    DomainFiles apply(final DomainFiles files, final int number)
    {
        if (sets.isEmpty())
        {
            return files;
        }
        if (files.processorSet().isEmpty())
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0187",
                "start script does not support processor sets, missing=PROCESSOR_SET file=" + DomainFiles.SCRIPT,
                "copy startwlevs.sh from the default domain of this version and set its ports");
        }
        return files.processorSet(sets.get(number % sets.size()));
    }
}
