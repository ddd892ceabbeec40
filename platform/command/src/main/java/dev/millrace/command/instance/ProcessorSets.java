package dev.millrace.command.instance;

import dev.millrace.command.CommandException;
import dev.millrace.command.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The processors that instances are kept on, dealt out in turn. Whether there are such processors is for the start
 * script to find out, on the machine where the instance runs.
 *
 * @param sets as startwlevs.sh has them, for example {@code 0-3} or {@code 0,2}; none: each keeps what it has
 */
public record ProcessorSets(List<String> sets)
{
    /** Changes nothing. */
    public static final ProcessorSets NONE = new ProcessorSets(List.of());

    private static final String RANGE = "(0|[1-9]\\d{0,3})(-(0|[1-9]\\d{0,3}))?";
    private static final Pattern SET = Pattern.compile(RANGE + "(," + RANGE + ")*");

    /** Takes a copy. */
    public ProcessorSets
    {
        sets = List.copyOf(sets);
    }

    /**
     * Several sets.
     *
     * @param option for messages
     * @param text   sets with commas between; within a set a plus sign stands for the comma; {@code null} when the
     *               option was not given
     * @return sets, or {@link #NONE}
     * @throws CommandException when it reads otherwise
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
     * One set.
     *
     * @param option for messages
     * @param text   as in startwlevs.sh; {@code null} when the option was not given
     * @return sets of which each is this one, or {@link #NONE}
     * @throws CommandException when it reads otherwise
     */
    public static ProcessorSets one(final String option, final String text)
    {
        return text == null ? NONE : new ProcessorSets(List.of(checked(option, text, text)));
    }

    /**
     * What an instance gets when they are dealt out in turn.
     *
     * @param number of the instance, from 0
     * @return its set alone, or none
     */
    public ProcessorSets only(final int number)
    {
        return sets.isEmpty() ? NONE : new ProcessorSets(List.of(sets.get(number % sets.size())));
    }

    private static String checked(final String option, final String text, final String set)
    {
        if (!SET.matcher(set).matches())
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0193", "not processors, " + option + "=" + text + " at=" +
                set, "one set is like 0-3 or 0,2; several are like 0-3,4-7 or 0+2,1+3; on Solaris each is a number");
        }
        return set;
    }

    /** The files of an instance with its set in place. */
    DomainFiles apply(final DomainFiles files, final int number)
    {
        if (sets.isEmpty())
        {
            return files;
        }
        if (files.processorSet().isEmpty())
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0187",
                "start script knows no processor sets, missing=PROCESSOR_SET file=" + DomainFiles.SCRIPT,
                "copy startwlevs.sh from the default domain of this version and set its ports");
        }
        return files.processorSet(sets.get(number % sets.size()));
    }
}
