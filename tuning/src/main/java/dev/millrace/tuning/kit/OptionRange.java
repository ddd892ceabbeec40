package dev.millrace.tuning.kit;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Ranges of options. */
final class OptionRange
{
    private OptionRange()
    {
    }

    /** Throws a {@link ParameterException} when the value of an option is out of range. */
    static void check(final CommandSpec spec, final String name, final long value, final long least, final long most)
    {
        if (value < least || value > most)
        {
            throw new ParameterException(
                spec.commandLine(), name + " must be " + least + " to " + most + ", not " + value);
        }
    }
}
