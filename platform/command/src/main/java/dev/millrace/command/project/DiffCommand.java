package dev.millrace.command.project;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.ExternalTool;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.InstanceOptions;
import dev.millrace.command.view.OutputFormat;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.difference.ApplicationComparer;
import dev.millrace.network.difference.ApplicationDifference;
import dev.millrace.network.difference.ApplicationDifference.Part;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares two versions of an application. */
@Command(
    name = "diff", mixinStandardHelpOptions = true,
    description = {"Compares two versions of an application, and shows what an update would keep and lose.",
        "With two paths, compares them. With one, compares it with the application of the same name in a domain of" +
            " this machine, as it is deployed, with the rules that were changed at run time.",
        "Compares files; nothing runs, and a server is not asked. The table contains the parts that differ, and all" +
            " queries with the effect of an update on their state, provided that the earlier version is running. An" +
            " update may create further adapters again, which its response names.",
        "Returns 0 when both versions are the same, 3 when they differ."},
    footer = {"", "Examples:",
        "  millrace app diff target/my-application.jar",
        "  millrace app diff --domain /srv/market target/my-application.jar",
        "  millrace app diff my-application-1.0.jar my-application-1.1.jar",
        "  millrace app diff --format json deployed.jar ."})
public final class DiffCommand implements Callable<Integer>
{
    private static final String COMPARER = "millrace.diff";

    @Spec
    private CommandSpec spec;

    @Mixin
    private OutputFormat format;

    @Option(names = "--domain", paramLabel = "DIR", description = InstanceOptions.DOMAIN)
    private Path domain;

    @Parameters(paramLabel = "PATH", arity = "1..2",
        description = "The earlier version, if there are two paths, and the next one: bundles, or directories of" +
            " projects.")
    private List<Path> versions;

    @Override
    public Integer call() throws IOException
    {
        versions.forEach(DiffCommand::checkExists);
        if (domain != null && versions.size() > 1)
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0277", "--domain is for one path, paths=" + versions,
                "omit --domain, or the path of the earlier version");
        }
        final boolean isJson = format.isJson();
        final ApplicationComparer comparer = ExternalTool.create(COMPARER, ApplicationComparer.class);
        final PrintWriter out = spec.commandLine().getOut();
        try
        {
            final ApplicationDifference difference = versions.size() > 1 ?
                comparer.compare(versions.get(0), versions.get(1)) :
                comparer.compareDeployed(Domain.find(domain).directory(), versions.get(0));
            if (isJson)
            {
                OutputFormat.print(json(difference), false, out);
            }
            else
            {
                new DifferenceTable(difference).print(out);
            }
            out.flush();
            return difference.isDifferent() ? ExitCode.DIFFERENT : ExitCode.DONE;
        }
        catch (final DeploymentException e)
        {
            final PrintWriter err = spec.commandLine().getErr();
            e.problems().stream().map(Problem::format).forEach(err::println);
            err.flush();
            return ExitCode.FAILED;
        }
    }

    private static void checkExists(final Path version)
    {
        if (!Files.exists(version))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0268",
                "no such file or directory, path=" + version.toAbsolutePath(),
                "specify a bundle, or the directory of a project");
        }
    }

    private static JsonObject json(final ApplicationDifference difference)
    {
        final JsonObject json = new JsonObject();
        json.addProperty("application", difference.application());
        json.addProperty("different", difference.isDifferent());
        json.addProperty("effect", name(difference.effect()));
        json.add("reasons", array(difference.reasons()));
        final JsonArray parts = new JsonArray();
        for (final Part part : difference.parts())
        {
            final JsonObject each = new JsonObject();
            each.addProperty("kind", part.kind());
            each.addProperty("id", part.id());
            each.addProperty("change", name(part.change()));
            each.add("details", array(part.details()));
            if (part.outcome() != null)
            {
                each.addProperty("action", part.outcome().action().name());
                each.addProperty("lostState", part.outcome().lostState());
            }
            parts.add(each);
        }
        json.add("parts", parts);
        return json;
    }

    private static String name(final Enum<?> value)
    {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static JsonArray array(final List<String> values)
    {
        final JsonArray array = new JsonArray();
        values.forEach(array::add);
        return array;
    }
}
