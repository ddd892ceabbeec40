package dev.millrace.command.project;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Adapters that are added to the files of a template: their sources replace the generated events, and their sinks
 * receive the same events as the sink of the template. For one project; not thread-safe.
 */
final class AddedAdapters
{
    private static final Pattern GENERATOR = Pattern.compile(
        "(?s)  <!-- Replace this source.*?<wlevs:adapter id=\"(\\w+)\".*?</wlevs:adapter>\n\n");
    private static final Pattern GENERATED = Pattern.compile("\\w+ \\(generated\\)");
    private static final Pattern CHANNEL = Pattern.compile("  <wlevs:channel id=\"(\\w+)\" event-type=\"(\\w+)\">");
    private static final String OUTPUT = "    <wlevs:listener ref=\"output\"/>\n";
    private static final String END = "</beans>";

    private final Set<ProjectAdapter> adapters;
    /** Rows of the table in the README. */
    private final List<String> descriptions = new ArrayList<>();
    /** The source of generated events; {@code null} if the template has none. */
    private String replacedSource;
    /** The source to which tests and examples send. */
    private String firstSource;

    AddedAdapters(final Set<ProjectAdapter> adapters)
    {
        this.adapters = adapters;
    }

    /** Returns the files of a project with the adapters. */
    Map<String, String> addTo(final Map<String, String> files, final String name)
    {
        if (adapters.isEmpty())
        {
            return files;
        }
        final Map<String, String> changed = new LinkedHashMap<>(files);
        changed.replaceAll((path, content) -> path.endsWith(".context.xml") ? network(content, name) : content);
        changed.replaceAll((path, content) -> path.endsWith("Test.java") && replacedSource != null ?
            content.replace("app.send(\"" + replacedSource + '"', "app.send(\"" + firstSource + '"') : content);
        changed.computeIfPresent("README.md", (path, content) -> readme(content, name));
        return changed;
    }

    private String network(final String template, final String name)
    {
        final Matcher channel = CHANNEL.matcher(template);
        if (!channel.find())
        {
            throw new IllegalStateException("the template has no channel");
        }
        final String sources = sources(channel.group(1), channel.group(2), name);
        final Matcher generator = GENERATOR.matcher(template);
        final String withSources;
        if (generator.find())
        {
            replacedSource = generator.group(1);
            withSources = generator.replaceFirst(Matcher.quoteReplacement(sources));
        }
        else
        {
            withSources = template.substring(0, channel.start()) + sources + template.substring(channel.start());
        }
        final String described = GENERATED.matcher(withSources).replaceFirst(Matcher.quoteReplacement(
            adapters.stream().map(ProjectAdapter::toString).collect(Collectors.joining(", "))));
        return withSinks(described, name);
    }

    private String sources(final String channel, final String type, final String name)
    {
        final StringBuilder sources = new StringBuilder();
        firstSource = type + "From" + adapters.iterator().next().label;
        for (final ProjectAdapter each : adapters)
        {
            sources.append(replaced(each.source, type, name).replace("@channel@", channel)).append('\n');
            describe(type + "From" + each.label, each.sourceDescription, each.page, type, name);
        }
        return sources.toString();
    }

    /** Adds sinks of each channel that the sink of the template listens to. */
    private String withSinks(final String network, final String name)
    {
        final StringBuilder result = new StringBuilder();
        final StringBuilder sinks = new StringBuilder();
        final Matcher channel = CHANNEL.matcher(network);
        int copied = 0;
        while (channel.find())
        {
            if (network.startsWith('\n' + OUTPUT, channel.end()))
            {
                final String type = channel.group(2);
                final int end = channel.end() + 1 + OUTPUT.length();
                result.append(network, copied, end);
                copied = end;
                for (final ProjectAdapter each : adapters)
                {
                    if (!each.sink.isEmpty())
                    {
                        final String id = type + "To" + each.label;
                        result.append(OUTPUT.replace("output", id));
                        sinks.append('\n').append(replaced(each.sink, type, name));
                        describe(id, each.sinkDescription, each.page, type, name);
                    }
                }
            }
        }
        final int end = network.indexOf(END);
        return result.append(network, copied, end).append(sinks).append(network, end, network.length()).toString();
    }

    private void describe(final String id, final String description, final String page, final String type,
        final String name)
    {
        descriptions.add("| `" + id + "` | " + replaced(description, type, name) + " | `documents/" + page + "` |");
    }

    private String readme(final String template, final String name)
    {
        return template.replace("generated ", "")
            .replace("--input " + replacedSource + '=', "--input " + firstSource + '=') + """

            ## Adapters

            | Stage | Effect | Documents in the home directory |
            |---|---|---|
            %s

            The application is `DEGRADED` while the other side of an adapter is missing. `config/%s.properties` of the
            domain sets values such as `kafka.servers`.
            """.formatted(String.join("\n", descriptions), name);
    }

    private static String replaced(final String text, final String type, final String name)
    {
        return text.replace("@type@", type).replace("@name@", name);
    }
}
