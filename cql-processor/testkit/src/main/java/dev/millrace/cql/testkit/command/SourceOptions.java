package dev.millrace.cql.testkit.command;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Sources that statements read. */
final class SourceOptions
{
    @Option(
        names = "--stream", paramLabel = "SPEC",
        description = "A stream, NAME=FILE:COLUMN TYPE,... for example 'S=ticks.csv:symbol char,price double'. " +
            "FILE - is the standard input. Without =FILE for explaining. May be given several times.")
    private List<String> streams = new ArrayList<>();

    @Option(
        names = "--relation", paramLabel = "SPEC",
        description = "A relation in the same form; each line of its file begins with +, - or U, which " +
            "needs a key: 'R=limits.csv:symbol char,most double,primary key(symbol)'.")
    private List<String> relations = new ArrayList<>();

    @Option(
        names = "--infer",
        description = "Infers the columns of streams that are given as NAME=FILE from the file: names from its " +
            "first line, types from the first 1,000 rows; prints the result.")
    private boolean isInferred;

    @Mixin
    private ClassPathOption classPath;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    List<StreamSpec> specs()
    {
        classPath.use();
        final List<StreamSpec> specs = new ArrayList<>();
        streams.forEach(text -> specs.add(StreamSpec.parse(completed(text), false)));
        relations.forEach(text -> specs.add(StreamSpec.parse(text, true)));
        final Set<String> names = new HashSet<>();
        for (final StreamSpec each : specs)
        {
            if (!names.add(each.name().toLowerCase(Locale.ROOT)))
            {
                throw ToolException.usage("CMD-0310", "two sources have one name, source=" + each.name(),
                    "give each source a different name");
            }
        }
        if (specs.stream().filter(StreamSpec::isStandardInput).count() > 1)
        {
            throw ToolException.usage("CMD-0310", "two sources read the standard input",
                "specify a file for one of them");
        }
        return specs;
    }

    private String completed(final String source)
    {
        final String complete = isInferred ? InferredColumns.complete(source) : source;
        if (!complete.equals(source))
        {
            command.commandLine().getErr().println("note: columns are inferred from the file: --stream '" +
                complete + "'; use this option with other types if these are not intended");
        }
        return complete;
    }
}
