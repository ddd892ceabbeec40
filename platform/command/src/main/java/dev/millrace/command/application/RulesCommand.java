package dev.millrace.command.application;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.InstanceOptions;
import dev.millrace.command.management.RulesClient;
import dev.millrace.command.view.OutputFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows and changes the rules of a running processor while events flow. */
@Command(
    name = "rules",
    description = {"Shows and changes the rules of a processor while events flow.",
        "Queries with an unchanged plan keep their state; the output shows the effect on each query."},
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "VERB",
    footer = {
        "",
        "The verbs of wlevs.Admin are also supported: GETRULE, ADDRULE, REPLACERULE, DELETERULE, STARTRULE,",
        "STOPRULE, UPLOAD, DOWNLOAD.",
        "",
        "Examples:",
        "  millrace rules list -application my.application -processor rules",
        "  millrace rules add -A my.application -P rules -query dear \"select * from ticks where price > 99\"",
        "  millrace rules ADDRULE -application my.application -processor rules -view S -file s.cql",
        "  millrace rules stop --group all -A my.application -P rules -rule dear",
        "  millrace rules download -A my.application -P rules rules.xml"})
public final class RulesCommand implements Runnable
{
    private static final Pattern PARAMS = Pattern.compile("([^=]+)=(.*)", Pattern.DOTALL);

    @Spec
    private CommandSpec spec;

    /** Options that select the processor. */
    static final class Processor
    {
        @Option(names = {"-A", "-application", "--application"}, paramLabel = "APPLICATION", required = true,
            description = "Application: the symbolic name of its bundle.")
        private String application;

        @Option(names = {"-P", "-processor", "--processor"}, paramLabel = "PROCESSOR", required = true,
            description = "Id of the processor.")
        private String processor;
    }

    /** Option with the id of an existing rule. */
    static final class Named
    {
        @Option(names = {"-rule", "--rule", "-query", "--query", "-view", "--view"}, paramLabel = "ID",
            required = true, description = "Id of the rule.")
        private String id;
    }

    /** Options with the kind and id of a rule. */
    static final class Kind
    {
        @Option(names = {"-query", "--query", "-rule", "--rule"}, paramLabel = "ID", required = true,
            description = "Id of a query.")
        private String query;

        @Option(names = {"-view", "--view"}, paramLabel = "ID", required = true, description = "Id of a view.")
        private String view;

        String id()
        {
            return view == null ? query : view;
        }
    }

    /** Options with the content of a rule. */
    static final class Content
    {
        @Parameters(paramLabel = "TEXT", arity = "0..1", description = "The statement, in quotes for the shell.")
        private String text;

        @Option(names = {"-file", "--file"}, paramLabel = "FILE", description = "Reads the statement from a file.")
        private Path file;

        @Option(names = {"-schema", "--schema"}, paramLabel = "NAMES",
            description = "Column names of a view, separated by blanks.")
        private String schema;

        @Option(names = {"-active", "--active"}, paramLabel = "true|false", defaultValue = "true", arity = "1",
            description = "Whether it runs. Default: true.")
        private boolean active;

        @Option(names = {"-ordering-constraint", "--ordering-constraint"}, paramLabel = "WORD",
            description = "ORDERED (the default), UNORDERED or PARTITION_ORDERED.")
        private String ordering;

        @Option(names = {"-partition-expression", "--partition-expression"}, paramLabel = "EXPRESSION",
            description = "Partition expression of PARTITION_ORDERED.")
        private String partition;
    }

    @Override
    public void run()
    {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    @Command(name = "list", aliases = "LISTRULES", mixinStandardHelpOptions = true,
        description = "Lists the rules of a processor.",
        footer = {"", "Examples:", "  millrace rules list -A my.application -P rules",
            "  millrace rules list -A my.application -P rules --format json"})
    int list(@Mixin final InstanceOptions target, @Mixin final Processor processor, @Mixin final OutputFormat format)
        throws IOException, InterruptedException
    {
        final boolean isJson = format.isJson();
        final JsonArray rules = rules(target, processor);
        if (isJson)
        {
            OutputFormat.print(rules, false, out());
            return ExitCode.DONE;
        }
        if (rules.isEmpty())
        {
            out().println("no rules");
        }
        for (final JsonElement each : rules)
        {
            final JsonObject rule = each.getAsJsonObject();
            final String bindings = String.join(", ", rule.getAsJsonObject("bindings").keySet());
            out().printf("%-24s %-6s %-8s %s%n", text(rule, "id"), text(rule, "kind"),
                rule.get("active").getAsBoolean() ? "active" : "stopped",
                bindings.isEmpty() ? firstLine(text(rule, "text")) : "bindings: " + bindings);
        }
        out().flush();
        return ExitCode.DONE;
    }

    @Command(name = "show", aliases = "GETRULE", mixinStandardHelpOptions = true, description = "Shows one rule.",
        footer = {"", "Example:", "  millrace rules show -A my.application -P rules -rule dear"})
    int show(@Mixin final InstanceOptions target, @Mixin final Processor processor, @Mixin final Named named)
        throws IOException, InterruptedException
    {
        final List<String> ids = new ArrayList<>();
        for (final JsonElement each : rules(target, processor))
        {
            final JsonObject rule = each.getAsJsonObject();
            ids.add(text(rule, "id"));
            if (text(rule, "id").equals(named.id))
            {
                print(rule);
                return ExitCode.DONE;
            }
        }
        throw new CommandException(ExitCode.NOT_FOUND, "CMD-0180", "no such rule, id=" + named.id,
            "rules of the processor: " + String.join(", ", ids));
    }

    private void print(final JsonObject rule)
    {
        out().println(text(rule, "kind") + ' ' + text(rule, "id") +
            (rule.get("active").getAsBoolean() ? "" : " (stopped)"));
        final JsonArray schema = rule.getAsJsonArray("schema");
        if (!schema.isEmpty())
        {
            final List<String> names = new ArrayList<>();
            schema.forEach(name -> names.add(name.getAsString()));
            out().println("schema " + String.join(" ", names));
        }
        if (!text(rule, "orderingConstraint").equals("ORDERED"))
        {
            out().println((text(rule, "orderingConstraint") + ' ' + text(rule, "partitionExpression")).strip());
        }
        out().println(text(rule, "text").indent(2).stripTrailing());
        rule.getAsJsonObject("bindings").entrySet().forEach(
            each -> out().println("binding " + each.getKey() + ": " + each.getValue().getAsString()));
        out().flush();
    }

    @Command(name = "add", aliases = "ADDRULE", mixinStandardHelpOptions = true,
        description = "Adds a query or view; replaces an existing one with the same id.",
        footer = {"", "Examples:",
            "  millrace rules add -A my.application -P rules -query dear \"select * from ticks where price > 99\"",
            "  millrace rules add -A my.application -P rules -view S -file s.cql -schema \"symbol price\""})
    int add(@Mixin final InstanceOptions target, @Mixin final GroupOption group, @Mixin final Processor processor,
        @ArgGroup(multiplicity = "1") final Kind kind, @Mixin final Content content)
        throws IOException, InterruptedException
    {
        return put(new Where(target, group, processor), kind, content, false);
    }

    @Command(name = "replace", aliases = "REPLACERULE", mixinStandardHelpOptions = true,
        description = "Replaces an existing query or view.",
        footer = {"", "Example:",
            "  millrace rules replace -A my.application -P rules -query dear \"select * from ticks\""})
    int replace(@Mixin final InstanceOptions target, @Mixin final GroupOption group, @Mixin final Processor processor,
        @ArgGroup(multiplicity = "1") final Kind kind, @Mixin final Content content)
        throws IOException, InterruptedException
    {
        return put(new Where(target, group, processor), kind, content, true);
    }

    private int put(final Where where, final Kind kind, final Content content, final boolean mustExist)
        throws IOException, InterruptedException
    {
        if ((content.text == null) == (content.file == null))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0181",
                "the statement of the rule is missing, rule=" + kind.id(),
                "specify the statement in quotes, or its file with -file");
        }
        final JsonObject body = new JsonObject();
        body.addProperty("kind", kind.view == null ? "query" : "view");
        body.addProperty("text", content.text == null ? read(content.file) : content.text);
        body.addProperty("active", String.valueOf(content.active));
        body.addProperty("mustExist", String.valueOf(mustExist));
        body.addProperty("orderingConstraint", content.ordering);
        body.addProperty("partitionExpression", content.partition);
        final JsonArray schema = new JsonArray();
        if (content.schema != null && !content.schema.isBlank())
        {
            List.of(content.schema.strip().split("\\s+")).forEach(schema::add);
        }
        body.add("schema", schema);
        return change(where, rules -> rules.put("/rules/", kind.id(), "", body));
    }

    @Command(name = "remove", aliases = {"delete", "DELETERULE"}, mixinStandardHelpOptions = true,
        description = "Removes a rule, unless it is a view that other rules read.",
        footer = {"", "Example:", "  millrace rules remove -A my.application -P rules -rule dear"})
    int remove(@Mixin final InstanceOptions target, @Mixin final GroupOption group, @Mixin final Processor processor,
        @Mixin final Named named)
        throws IOException, InterruptedException
    {
        return change(new Where(target, group, processor), rules -> rules.delete("/rules/", named.id));
    }

    @Command(name = "start", aliases = "STARTRULE", mixinStandardHelpOptions = true,
        description = "Starts a stopped rule.",
        footer = {"", "Example:", "  millrace rules start -A my.application -P rules -rule dear"})
    int start(@Mixin final InstanceOptions target, @Mixin final GroupOption group, @Mixin final Processor processor,
        @Mixin final Named named)
        throws IOException, InterruptedException
    {
        return change(new Where(target, group, processor), rules -> rules.post("/rules/", named.id, "/start"));
    }

    @Command(name = "stop", aliases = "STOPRULE", mixinStandardHelpOptions = true,
        description = "Stops a rule; it stays in the rule set.",
        footer = {"", "Example:", "  millrace rules stop -A my.application -P rules -rule dear"})
    int stop(@Mixin final InstanceOptions target, @Mixin final GroupOption group, @Mixin final Processor processor,
        @Mixin final Named named)
        throws IOException, InterruptedException
    {
        return change(new Where(target, group, processor), rules -> rules.post("/rules/", named.id, "/stop"));
    }

    @Command(name = "bindings", mixinStandardHelpOptions = true,
        description = {"Replaces the bindings of a query: each set of values starts a query ID_PARAMS.",
            "Without sets, the bindings are removed."},
        footer = {"", "Example:",
            "  millrace rules bindings -A my.application -P rules -query dear low=10.0,ORCL high=100.0,IBM"})
    int bindings(@Mixin final InstanceOptions target, @Mixin final GroupOption group, @Mixin final Processor processor,
        @Mixin final Named named,
        @Parameters(paramLabel = "PARAMS=VALUES", arity = "0..*",
            description = "Id of the params and the values of :1, :2 ... separated by commas.") final String... sets)
        throws IOException, InterruptedException
    {
        final JsonObject body = new JsonObject();
        for (final String set : sets == null ? new String[0] : sets)
        {
            final Matcher matcher = PARAMS.matcher(set);
            if (!matcher.matches())
            {
                throw new CommandException(ExitCode.USAGE, "CMD-0182", "invalid set of values, text=" + set,
                    "use PARAMS=VALUES, for example low=10.0,ORCL");
            }
            body.addProperty(matcher.group(1), matcher.group(2));
        }
        return change(new Where(target, group, processor),
            rules -> rules.put("/rules/", named.id, "/bindings", body));
    }

    @Command(name = "upload", aliases = "UPLOAD", mixinStandardHelpOptions = true,
        description = {"Replaces all rules with those of a component configuration file.",
            "The name in the file is ignored. If a rule is invalid, nothing changes."},
        footer = {"", "Example:", "  millrace rules upload -A my.application -P rules rules.xml"})
    int upload(@Mixin final InstanceOptions target, @Mixin final GroupOption group, @Mixin final Processor processor,
        @Parameters(paramLabel = "FILE", description = "Component configuration file.") final Path file)
        throws IOException, InterruptedException
    {
        if (!Files.isReadable(file))
        {
            throw noFile(file);
        }
        return change(new Where(target, group, processor), rules -> rules.upload(file));
    }

    @Command(name = "download", aliases = "DOWNLOAD", mixinStandardHelpOptions = true,
        description = "Writes all rules to a component configuration file, or prints them.",
        footer = {"", "Example:", "  millrace rules download -A my.application -P rules rules.xml"})
    int download(@Mixin final InstanceOptions target, @Mixin final Processor processor,
        @Parameters(paramLabel = "FILE", arity = "0..1", description = "File to write. Default: standard output.")
        final Path file) throws IOException, InterruptedException
    {
        final String text = client(target, processor).download();
        if (file == null)
        {
            out().print(text);
            out().flush();
        }
        else
        {
            Files.writeString(file, text);
            out().println("wrote " + file);
        }
        return ExitCode.DONE;
    }

    /** The target of a change. */
    private record Where(InstanceOptions target, GroupOption group, Processor processor)
    {
    }

    /** A change of the rules of a processor. */
    @FunctionalInterface
    private interface Work
    {
        JsonObject run(RulesClient rules) throws IOException, InterruptedException;
    }

    /** Executes a change on an instance, or on all members of a group. */
    private int change(final Where where, final Work work) throws IOException, InterruptedException
    {
        final Processor processor = where.processor();
        return where.group().isNone() ? done(work.run(client(where.target(), processor))) :
            where.group().change(where.target(), spec, processor.application,
                members -> work.run(members.rules(processor.application, processor.processor)));
    }

    private static RulesClient client(final InstanceOptions target, final Processor processor) throws IOException
    {
        return target.client().rules(processor.application, processor.processor);
    }

    private static JsonArray rules(final InstanceOptions target, final Processor processor)
        throws IOException, InterruptedException
    {
        return client(target, processor).list().getAsJsonArray("rules");
    }

    private static String read(final Path file) throws IOException
    {
        if (!Files.isReadable(file))
        {
            throw noFile(file);
        }
        return Files.readString(file, StandardCharsets.UTF_8);
    }

    private static CommandException noFile(final Path file)
    {
        return new CommandException(
            ExitCode.USAGE, "CMD-0103", "no such file, file=" + file.toAbsolutePath(), "specify an existing file");
    }

    private int done(final JsonObject change)
    {
        final PrintWriter out = out();
        RuleChangeLines.print(out, change);
        RuleChangeLines.printPause(out, change);
        out.flush();
        return ExitCode.DONE;
    }

    private PrintWriter out()
    {
        return spec.commandLine().getOut();
    }

    private static String firstLine(final String text)
    {
        final String line = text.replaceAll("\\s+", " ").strip();
        final int limit = 70;
        return line.length() <= limit ? line : line.substring(0, limit - 3) + "...";
    }

    private static String text(final JsonObject object, final String name)
    {
        final JsonElement value = object.get(name);
        return value == null || value.isJsonNull() ? "" : value.getAsString();
    }
}
