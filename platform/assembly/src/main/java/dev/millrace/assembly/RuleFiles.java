package dev.millrace.assembly;

import dev.millrace.assembly.config.ComponentConfiguration;
import dev.millrace.assembly.config.ConfigurationReader;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.xml.XmlErrorCode;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DurationFormat;
import dev.millrace.network.definition.ProcessorStage.Params;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Conversion of the rules of one processor to a component configuration file, and back. Thread-safe.
 *
 * <p>In a list of rules, a query with bindings occurs once for each of its params; in the file it occurs once, with its
 * params below {@code bindings}.
 */
public final class RuleFiles
{
    /** Folder of files that replace the rules of a processor in the bundle; a file has the name of its processor. */
    public static final String FOLDER = "live-rules/";

    private RuleFiles()
    {
    }

    /**
     * Reads a file.
     *
     * @param name    name as the user knows it
     * @param content the bytes; not closed
     * @return rules of the only processor in the file, bound; the processor's name is ignored
     * @throws DeploymentException with every problem and its position in the file
     */
    public static List<Rule> read(final String name, final InputStream content) throws DeploymentException
    {
        final Problems problems = new Problems();
        final ConfigurationReader reader = new ConfigurationReader(problems);
        reader.read(name, content);
        problems.throwIfAny();
        final Map<String, ComponentConfiguration.Processor> processors = reader.configuration().processors();
        if (processors.size() != 1)
        {
            throw new DeploymentException(AssemblyErrorCode.MISSING.code(), new SourcePosition(name, 1, 1),
                "a file of rules needs exactly one processor, processors=" + processors.keySet(),
                "write the rules of one processor below <processor><name>...</name><rules>");
        }
        return processors.values().iterator().next().rules();
    }

    /**
     * Reads the rules of all processors of an application, or of one of its files.
     *
     * @param files component configuration files
     * @return rules by processor, bound
     * @throws DeploymentException with every problem and its position in the files
     */
    public static Map<String, List<Rule>> processors(final List<ConfigurationResource> files)
        throws DeploymentException
    {
        final Problems problems = new Problems();
        final ConfigurationReader reader = new ConfigurationReader(problems);
        for (final ConfigurationResource file : files)
        {
            try (InputStream content = file.content().getInputStream())
            {
                reader.read(file.name(), content);
            }
            catch (final IOException e)
            {
                problems.add(XmlErrorCode.UNREADABLE.code(), new SourcePosition(file.name(), 0, 0),
                    "the file cannot be read: " + e, "check its owner and mode");
            }
        }
        problems.throwIfAny();
        final Map<String, List<Rule>> rules = new LinkedHashMap<>();
        reader.configuration().processors().forEach((name, processor) -> rules.put(name, processor.rules()));
        return rules;
    }

    /**
     * Adds excerpts of an uploaded file to problems found in it later.
     *
     * @param name    as it was read
     * @param content the same bytes
     * @return completes a problem
     */
    public static UnaryOperator<DeploymentException.Problem> excerpts(final String name, final InputStream content)
    {
        final Problems problems = new Problems();
        new ConfigurationReader(problems).read(name, content);
        return problems::withExcerpt;
    }

    /**
     * Returns a query without the values of its params.
     *
     * @param rule a rule
     * @return the rule itself when it has no params
     */
    public static Rule unbound(final Rule rule)
    {
        return rule.params() == null ? rule : new Rule(baseId(rule), rule.view(), rule.text(), rule.schema(),
            rule.orderingConstraint(), rule.partitionExpression(), rule.active(), rule.position())
            .withIdleStateTime(rule.idleStateTime()).withMaxAttempts(rule.maxAttempts());
    }

    /**
     * Returns the id of a rule in the file.
     *
     * @param rule a rule
     * @return its id without that of its params
     */
    public static String baseId(final Rule rule)
    {
        return rule.writtenId();
    }

    /**
     * Writes a file.
     *
     * @param processor name of the processor
     * @param rules     its rules, bound
     * @return content from which {@link #read} returns the same rules
     */
    public static String write(final String processor, final List<Rule> rules)
    {
        final Map<String, Rule> written = new LinkedHashMap<>();
        final Map<String, List<Params>> bindings = new LinkedHashMap<>();
        for (final Rule rule : rules)
        {
            written.putIfAbsent(baseId(rule), unbound(rule));
            if (rule.params() != null)
            {
                bindings.computeIfAbsent(baseId(rule), id -> new ArrayList<>()).add(rule.params());
            }
        }
        final StringBuilder text = new StringBuilder(1024)
            .append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<n1:config xmlns:n1=\"")
            .append(ConfigurationReader.WLEVS).append("\">\n  <processor>\n    <name>").append(escape(processor))
            .append("</name>\n    <rules>\n");
        written.values().forEach(rule -> append(text, rule));
        text.append("    </rules>\n");
        if (!bindings.isEmpty())
        {
            text.append("    <bindings>\n");
            bindings.forEach((id, params) -> append(text, id, params));
            text.append("    </bindings>\n");
        }
        return text.append("  </processor>\n</n1:config>\n").toString();
    }

    private static void append(final StringBuilder text, final Rule rule)
    {
        final String element = rule.view() ? "view" : "query";
        text.append("      <").append(element).append(" id=\"").append(escape(rule.id())).append('"');
        if (!rule.schema().isEmpty())
        {
            text.append(" schema=\"").append(escape(String.join(" ", rule.schema()))).append('"');
        }
        if (rule.orderingConstraint() != null && !rule.orderingConstraint().equals("ORDERED"))
        {
            text.append(" ordering-constraint=\"").append(escape(rule.orderingConstraint())).append('"');
        }
        if (rule.partitionExpression() != null)
        {
            text.append(" partition-expression=\"").append(escape(rule.partitionExpression())).append('"');
        }
        if (rule.idleStateTime() != null)
        {
            text.append(" idle-state-time=\"").append(DurationFormat.format(rule.idleStateTime())).append('"');
        }
        if (rule.maxAttempts() != null)
        {
            text.append(" max-attempts=\"").append(rule.maxAttempts()).append('"');
        }
        if (!rule.active())
        {
            text.append(" active=\"false\"");
        }
        text.append("><![CDATA[").append(rule.text().replace("]]>", "]]]]><![CDATA[>")).append("]]></")
            .append(element).append(">\n");
    }

    private static void append(final StringBuilder text, final String id, final List<Params> params)
    {
        text.append("      <binding id=\"").append(escape(id)).append("\">\n");
        for (final Params each : params)
        {
            text.append("        <params id=\"").append(escape(each.id())).append("\">")
                .append(escape(String.join(", ", each.values()))).append("</params>\n");
        }
        text.append("      </binding>\n");
    }

    private static String escape(final String text)
    {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
