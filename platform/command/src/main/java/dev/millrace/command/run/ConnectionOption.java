package dev.millrace.command.run;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.network.spi.ApplicationRunner;
import dev.millrace.network.spi.ApplicationRunner.Connection;
import dev.millrace.network.spi.ApplicationRunner.Format;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Parses {@code STAGE=FILE}. Stateless. */
final class ConnectionOption
{
    private ConnectionOption()
    {
    }

    /**
     * Parses the inputs.
     *
     * @param standard format of the standard input, and of files whose name does not reveal it
     * @throws CommandException if one is no connection, or names a stage or the standard input twice
     */
    static List<Connection> inputs(final List<String> options, final Format standard)
    {
        final List<Connection> inputs = parsed("--input", options, standard);
        if (inputs.stream().filter(Connection::isStandard).count() > 1)
        {
            throw wrong("two inputs read the standard input", "specify a file for one of them");
        }
        inputs.stream().filter(input -> input.file() == null).findFirst().ifPresent(input ->
        {
            throw wrong("an input has no file, --input=" + input.stage(), "write --input " + input.stage() +
                "=FILE, or " + input.stage() + "=- for the standard input");
        });
        return inputs;
    }

    /**
     * Parses the outputs.
     *
     * @param standard format of the standard output, and of files whose name does not reveal it
     * @throws CommandException if one is no connection, or names a stage twice
     */
    static List<Connection> outputs(final List<String> options, final Format standard)
    {
        return parsed("--output", options, standard).stream().map(output -> output.file() != null ? output :
            new Connection(output.stage(), ApplicationRunner.STANDARD, standard)).toList();
    }

    private static List<Connection> parsed(final String name, final List<String> options, final Format standard)
    {
        final List<Connection> all = new ArrayList<>();
        final Set<String> stages = new HashSet<>();
        for (final String option : options)
        {
            final int equals = option.indexOf('=');
            final String stage = equals < 0 ? option : option.substring(0, equals);
            final String file = equals < 0 ? null : option.substring(equals + 1);
            if (stage.isEmpty() || file != null && file.isEmpty())
            {
                throw wrong("not a stage and a file, " + name + "=" + option, "write " + name + " STAGE=FILE");
            }
            if (!stages.add(stage))
            {
                throw wrong("the stage is named twice, " + name + "=" + option, "name each stage once");
            }
            all.add(new Connection(stage, file, file == null ? standard : format(file, standard)));
        }
        return all;
    }

    private static Format format(final String file, final Format standard)
    {
        final String name = file.toLowerCase(Locale.ROOT);
        return name.endsWith(".csv") ? Format.CSV : name.endsWith(".json") || name.endsWith(".jsonl") ||
            name.endsWith(".ndjson") ? Format.JSON : standard;
    }

    private static CommandException wrong(final String text, final String hint)
    {
        // CMD-0272: an input or output is incomplete or named twice: write STAGE=FILE
        return new CommandException(ExitCode.USAGE, "CMD-0272", text, hint);
    }
}
