package dev.millrace.command.application;

import static dev.millrace.command.app.ApplicationSummary.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.millrace.command.app.ApplicationSummary;
import dev.millrace.command.app.ListCommand;
import dev.millrace.command.app.LogsCommand;
import dev.millrace.command.app.StatisticsCommand;
import dev.millrace.command.app.StatusCommand;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.InstanceOptions;
import dev.millrace.command.management.ManagementClient;
import dev.millrace.command.migration.OepOption;
import dev.millrace.command.project.DiffCommand;
import dev.millrace.command.project.NewCommand;
import dev.millrace.command.project.PackageCommand;
import dev.millrace.command.project.ValidateCommand;
import dev.millrace.command.run.RunCommand;
import dev.millrace.command.view.OutputFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Creates applications, deploys them to a running instance and shows their state. */
@Command(
    name = "app",
    description = "Creates applications, deploys them to a running instance and shows their state.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "VERB",
    subcommands = {NewCommand.class, ValidateCommand.class, RunCommand.class, PackageCommand.class,
        DiffCommand.class, ListCommand.class, StatusCommand.class, StatisticsCommand.class, LogsCommand.class},
    footer = {
        "",
        "Examples:",
        "  millrace app new hello",
        "  millrace app validate hello",
        "  millrace app run hello --input trades=trades.csv",
        "  millrace app package hello",
        "  millrace app install build/my-application.jar",
        "  millrace app install --oep old-application.jar",
        "  millrace app install --timeout 120 build/my-application.jar",
        "  millrace app install --group all build/my-application.jar",
        "  millrace app diff build/my-application.jar",
        "  millrace app configure --group all my.application channels.xml",
        "  millrace app history --group all my.application",
        "  millrace app rollback --group all --to 3 my.application",
        "  millrace app list",
        "  millrace app status --watch my.application",
        "  millrace app statistics my.application",
        "  millrace app logs -f my.application",
        "  millrace app suspend my.application",
        "  millrace app restart my.application",
        "  millrace app list --url http://127.0.0.1:9002 --user admin --password"})
public final class AppCommand implements Runnable
{
    private static final String BUNDLE = "OSGi bundle of the application.";
    private static final String NAME = "Application: the symbolic name of its bundle.";

    @Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    @Command(
        name = "install", mixinStandardHelpOptions = true,
        description = "Deploys a bundle. Returns when the application runs, or prints why it does not run.",
        footer = {"", "Examples:", "  millrace app install apps/signal-generation.jar",
            "  millrace app install --oep old-application.jar"})
    int install(
        @Mixin final InstanceOptions target, @Mixin final GroupOption group, @Mixin final StartTimeout timeout,
        @Mixin final OepOption oep, @Parameters(paramLabel = "BUNDLE", description = BUNDLE) final Path bundle)
        throws IOException, InterruptedException
    {
        return oep.with(readable(bundle), err(), file ->
            group.isNone() ? print(target.client().install(file, timeout.seconds())) :
            group.change(target, spec, symbolicName(file), members -> members.install(file, timeout.seconds())));
    }

    @Command(
        name = "update", mixinStandardHelpOptions = true,
        description = {"Replaces a deployed application with another version.",
            "The new version is created, planned and compiled while the old one runs. If it is rejected, the old one" +
                " keeps running and loses nothing. When channels and processors are the same, adapters of providers" +
                " keep their connections, and queries with an unchanged plan keep their state; otherwise a new" +
                " network is created. Prints the effect on both, with --group for each member; a group has the new" +
                " version on all members or on none."},
        footer = {"", "Examples:", "  millrace app update apps/signal-generation.jar",
            "  millrace app update --oep old-application.jar"})
    int update(
        @Mixin final InstanceOptions target, @Mixin final GroupOption group, @Mixin final StartTimeout timeout,
        @Mixin final OepOption oep, @Parameters(paramLabel = "BUNDLE", description = BUNDLE) final Path bundle)
        throws IOException, InterruptedException
    {
        final String name = symbolicName(readable(bundle));
        return oep.with(bundle, err(), file ->
            group.isNone() ? printUpdated(target.client().update(name, file, timeout.seconds())) :
            group.change(target, spec, name, members -> members.update(name, file, timeout.seconds())));
    }

    @Command(
        name = "suspend", mixinStandardHelpOptions = true,
        description = "Suspends an application: its adapters accept no events.",
        footer = {"", "Example:", "  millrace app suspend my.application"})
    int suspend(
        @Mixin final InstanceOptions target, @Mixin final GroupOption group,
        @Parameters(paramLabel = "NAME", description = NAME) final String name)
        throws IOException, InterruptedException
    {
        return change(target, group, name, "suspend");
    }

    @Command(
        name = "resume", mixinStandardHelpOptions = true,
        description = {"Resumes a suspended application.",
            "Failed stages run again, even when the application was not suspended.",
            "Starts an application that is in quarantine because it ended the process at its last start."},
        footer = {"", "Example:", "  millrace app resume my.application"})
    int resume(
        @Mixin final InstanceOptions target, @Mixin final GroupOption group,
        @Parameters(paramLabel = "NAME", description = NAME) final String name)
        throws IOException, InterruptedException
    {
        return change(target, group, name, "resume");
    }

    @Command(
        name = "restart", mixinStandardHelpOptions = true,
        description = {"Restarts an application from its deployed bundle, even one that has failed or was rejected.",
            "Its state is lost; changed rules and configuration remain. An application of a group is restarted on the" +
            " addressed instance only, not on the other members."},
        footer = {"", "Example:", "  millrace app restart my.application"})
    int restart(@Mixin final InstanceOptions target,
    @Parameters(paramLabel = "NAME", description = NAME) final String name)
        throws IOException, InterruptedException
    {
        return change(target, new GroupOption(), name, "restart");
    }

    @Command(
        name = "uninstall", mixinStandardHelpOptions = true,
        description = "Uninstalls an application and deletes its files.",
        footer = {"", "Example:", "  millrace app uninstall my.application"})
    int uninstall(
        @Mixin final InstanceOptions target, @Mixin final GroupOption group,
        @Parameters(paramLabel = "NAME", description = NAME) final String name)
        throws IOException, InterruptedException
    {
        if (!group.isNone())
        {
            return group.change(target, spec, name, members -> members.uninstall(name));
        }
        target.client().uninstall(name);
        out().println("uninstalled " + name);
        return ExitCode.DONE;
    }

    @Command(
        name = "configure", mixinStandardHelpOptions = true,
        description = {"Replaces a component configuration file of the bundle, or adds one.",
            "The file replaces the bundle's file with the same name below META-INF/wlevs until the bundle is updated." +
                " The application is created again and loses its state, unless only rules differ. If it is rejected" +
                " with the file, the old one keeps running and loses nothing. Prints the effect on the state of each" +
                " query."},
        footer = {"", "Examples:",
            "  millrace app configure my.application channels.xml",
            "  millrace app configure --group all my.application channels.xml",
            "  millrace app configure --group all --remove my.application channels.xml"})
    int configure(
        @Mixin final InstanceOptions target, @Mixin final GroupOption group,
        @Option(names = "--remove", description = "Restores the bundle's file of this name.")
        final boolean remove,
        @Parameters(paramLabel = "NAME", description = NAME) final String name,
        @Parameters(paramLabel = "FILE", description = "Component configuration file.") final Path file)
        throws IOException, InterruptedException
    {
        if (remove)
        {
            final String fileName = String.valueOf(file.getFileName());
            return group.isNone() ? printUpdated(target.client().unconfigure(name, fileName)) :
                group.change(target, spec, name, members -> members.unconfigure(name, fileName));
        }
        readable(file, "specify a component configuration file");
        return group.isNone() ? printUpdated(target.client().configure(name, file)) :
            group.change(target, spec, name, members -> members.configure(name, file));
    }

    @Command(
        name = "history", mixinStandardHelpOptions = true,
        description = {"Lists the versions of an application of a group: its bundle, rules and configuration.",
            "The last one is the current version. 30 previous versions are stored."},
        footer = {"", "Examples:", "  millrace app history --group all my.application",
            "  millrace app history --group all --format json my.application"})
    int history(@Mixin final InstanceOptions target, @Mixin final GroupOption group, @Mixin final OutputFormat format,
        @Parameters(paramLabel = "NAME", description = NAME) final String name)
        throws IOException, InterruptedException
    {
        final boolean isJson = format.isJson();
        final JsonArray versions = group.needed(target).history(name).getAsJsonArray("versions");
        if (isJson)
        {
            OutputFormat.print(versions, false, out());
            return ExitCode.DONE;
        }
        out().printf("%-8s %-20s %-20s %s%n", "version", "time", "asked", "change");
        for (final JsonElement each : versions)
        {
            final JsonObject version = each.getAsJsonObject();
            out().printf("%-8s %-20.19s %-20s %s%n", text(version, "version"), text(version, "time").replace('T', ' '),
                text(version, "member"), text(version, "change"));
        }
        out().flush();
        return ExitCode.DONE;
    }

    @Command(
        name = "rollback", mixinStandardHelpOptions = true,
        description = {"Restores the bundle, rules and configuration of an earlier version in a group, as a new"
            + " version.",
            "Returns 1 when the change fails on a member."},
        footer = {"", "Example:", "  millrace app rollback --group all --to 3 my.application"})
    int rollback(@Mixin final InstanceOptions target, @Mixin final GroupOption group,
        @Option(names = "--to", paramLabel = "VERSION", required = true, description = "Version number, see history.")
        final long version,
        @Parameters(paramLabel = "NAME", description = NAME) final String name)
        throws IOException, InterruptedException
    {
        group.needed(target);
        return group.change(target, spec, name, members -> members.rollBack(name, version));
    }

    private int change(final InstanceOptions target, final GroupOption group, final String name, final String verb)
        throws IOException, InterruptedException
    {
        if (!group.isNone())
        {
            return group.change(target, spec, name, members -> members.change(name, verb));
        }
        final ManagementClient client = target.client();
        client.change(name, verb);
        return print(client.application(name));
    }

    private int printUpdated(final JsonObject application)
    {
        print(application);
        if (application.has("update"))
        {
            RuleChangeLines.printUpdate(out(), application.getAsJsonObject("update"));
        }
        out().flush();
        return ExitCode.DONE;
    }

    private int print(final JsonObject application)
    {
        ApplicationSummary.print(application, out());
        return ExitCode.DONE;
    }

    private PrintWriter out()
    {
        return spec.commandLine().getOut();
    }

    private PrintWriter err()
    {
        return spec.commandLine().getErr();
    }

    /** Returns the file if it is readable; otherwise ends the command. */
    public static Path readable(final Path bundle)
    {
        return readable(bundle, "specify a bundle");
    }

    private static Path readable(final Path file, final String hint)
    {
        if (!Files.isRegularFile(file) || !Files.isReadable(file))
        {
            throw new CommandException(
                ExitCode.USAGE, "CMD-0103", "no such file, file=" + file.toAbsolutePath(), hint);
        }
        return file;
    }

    private static String symbolicName(final Path bundle)
    {
        String name = null;
        try (JarFile jar = new JarFile(bundle.toFile()))
        {
            if (jar.getManifest() != null)
            {
                name = jar.getManifest().getMainAttributes().getValue("Bundle-SymbolicName");
            }
        }
        catch (final IOException e)
        {
            throw new CommandException(
                ExitCode.FAILED, "CMD-0104", "not a bundle, file=" + bundle + " reason=" + e.getMessage(),
                "specify a jar with an OSGi manifest");
        }
        if (name == null)
        {
            throw new CommandException(
                ExitCode.FAILED, "CMD-0104", "not a bundle: no Bundle-SymbolicName in its manifest, file=" + bundle,
                "build it with bnd, see the sample application");
        }
        return name.split(";")[0].strip();
    }
}
