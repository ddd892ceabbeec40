package dev.millrace.assembly.config;

import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.assembly.xml.XmlPositions;
import dev.millrace.network.definition.DurationFormat;
import dev.millrace.network.definition.PatternAttempts;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.RulePositions;
import dev.millrace.network.definition.SourcePosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.w3c.dom.Element;

/** Reads the rules of a processor. */
final class ProcessorReader
{
    private static final List<String> CONSTRAINTS = List.of("ORDERED", "UNORDERED", "PARTITION_ORDERED");

    private final Problems problems;
    private final ElementNameCheck names;
    private final List<String> common;
    private final Consumer<Element> other;
    private final List<Rule> rules = new ArrayList<>();
    private final BindingsReader bindings;

    /** @param other reads the children that all components may have */
    ProcessorReader(final Problems problems, final ElementNameCheck names, final List<String> common,
        final Consumer<Element> other)
    {
        this.other = other;
        this.problems = problems;
        this.names = names;
        this.common = common;
        bindings = new BindingsReader(problems, names);
    }

    ComponentConfiguration.Processor read(final Element processor)
    {
        final List<String> allowed = new ArrayList<>(common);
        allowed.addAll(List.of("rules", "workers", "idle-state-time", "max-attempts", "durable", "bindings",
            "database"));
        final Map<String, Located> values = new HashMap<>();
        int ruleElements = 0;
        for (final Element child : Elements.children(processor))
        {
            if (!names.known(processor, child, allowed))
            {
                continue;
            }
            switch (child.getLocalName())
            {
                case "rules" ->
                {
                    if (ruleElements++ > 0)
                    {
                        problems.add(AssemblyErrorCode.DUPLICATE, XmlPositions.of(child),
                            "the element occurs twice, element=rules", "put all rules into one");
                    }
                    rules(child);
                }
                case "workers", "idle-state-time", "max-attempts", "durable" -> names.value(child, values);
                case "bindings" -> bindings.read(child);
                case "database" -> refuse(child, "rules of the old language EPL are not available, element=database",
                    "rewrite the rules in CQL and load the table into a cache");
                default -> other.accept(child);
            }
        }
        final List<Rule> running = bindings.bind(rules);
        return new ComponentConfiguration.Processor(running, bindings.bound(), values.get("workers"),
            idleStateTime(values.get("idle-state-time")), maxAttempts(values.get("max-attempts")),
            isDurable(values.get("durable")), XmlPositions.of(processor));
    }

    private Duration idleStateTime(final Located written)
    {
        final Duration time = written == null ? null : DurationFormat.parse(written.value());
        if (written != null && time == null)
        {
            problems.add(AssemblyErrorCode.BAD_VALUE, written.position(), "not an idle state time, idle-state-time=" +
                written.value(), "write " + DurationFormat.FORM);
        }
        return time;
    }

    private boolean isDurable(final Located written)
    {
        if (written != null && !written.value().equals("true") && !written.value().equals("false"))
        {
            problems.add(AssemblyErrorCode.BAD_VALUE, written.position(), "neither true nor false, durable=" +
                written.value(), "write true if the state of the processor must survive the end of the process");
        }
        return written != null && written.value().equals("true");
    }

    private Integer maxAttempts(final Located written)
    {
        final Integer attempts = written == null ? null : PatternAttempts.parse(written.value());
        if (written != null && attempts == null)
        {
            problems.add(AssemblyErrorCode.BAD_VALUE, written.position(), "not a number of attempts, max-attempts=" +
                written.value(), "write " + PatternAttempts.FORM);
        }
        return attempts;
    }

    private void rules(final Element element)
    {
        names.attributes(element);
        names.noText(element);
        for (final Element rule : Elements.children(element))
        {
            if (rule.getNamespaceURI() == null && rule.getLocalName().equals("rule"))
            {
                refuse(rule, "rules of the old language EPL are not available, element=rule",
                    "rewrite the rule in CQL as a query or a view");
            }
            else if (names.known(element, rule, List.of("query", "view")))
            {
                rule(rule, rule.getLocalName().equals("view"));
            }
        }
    }

    private void rule(final Element element, final boolean view)
    {
        if (view)
        {
            names.attributes(element, "id", "active", "schema", "ordering-constraint", "partition-expression");
        }
        else
        {
            names.attributes(element, "id", "active", "ordering-constraint", "partition-expression",
                "idle-state-time", "max-attempts");
        }
        names.textOnly(element);
        final Located id = Elements.attribute(element, "id");
        final Located text = XmlPositions.text(element);
        if (id == null || id.value().isEmpty())
        {
            problems.add(AssemblyErrorCode.MISSING, XmlPositions.of(element),
                "a rule needs an id, element=" + element.getNodeName(), "add id=\"...\"");
            return;
        }
        if (rules.stream().anyMatch(rule -> rule.id().equalsIgnoreCase(id.value())))
        {
            problems.add(AssemblyErrorCode.DUPLICATE, id.position(),
                "the processor has two rules of this id, id=" + id.value(), "rename one of them");
            return;
        }
        if (text.value().isBlank())
        {
            problems.add(AssemblyErrorCode.MISSING, XmlPositions.of(element), "the rule is empty, id=" + id.value(),
                "write a CQL statement inside <![CDATA[ ... ]]>");
            return;
        }
        final Located schema = Elements.attribute(element, "schema");
        final Located partition = Elements.attribute(element, "partition-expression");
        rules.add(new Rule(id.value(), view, text.value(),
            schema == null ? List.of() : Elements.names(schema).stream().map(Located::value).toList(),
            ordering(element, partition), partition == null ? null : partition.value(), active(element),
            text.position()).withPlaces(places(element))
            .withIdleStateTime(idleStateTime(Elements.attribute(element, "idle-state-time")))
            .withMaxAttempts(maxAttempts(Elements.attribute(element, "max-attempts"))));
    }

    private static RulePositions places(final Element element)
    {
        final Map<String, SourcePosition> attributes = new HashMap<>();
        for (final String name : List.of("id", "schema", "ordering-constraint", "partition-expression"))
        {
            final Located value = Elements.attribute(element, name);
            if (value != null)
            {
                attributes.put(name, value.position());
            }
        }
        final List<RulePositions.Run> runs = XmlPositions.runs(element);
        return runs.isEmpty() ? null : new RulePositions(runs, attributes);
    }

    private String ordering(final Element element, final Located partition)
    {
        final Located ordering = Elements.attribute(element, "ordering-constraint");
        final String value = ordering == null ? "ORDERED" : ordering.value();
        if (!CONSTRAINTS.contains(value))
        {
            problems.add(AssemblyErrorCode.BAD_VALUE, ordering.position(),
                "unknown ordering constraint, value=" + value,
                Suggestions.hint(value, "constraints", CONSTRAINTS));
        }
        else if (value.equals("PARTITION_ORDERED") && partition == null)
        {
            problems.add(AssemblyErrorCode.MISSING, XmlPositions.of(element),
                "PARTITION_ORDERED needs a partition expression, rule=" + element.getAttribute("id"),
                "add partition-expression=\"...\" with the column that events are partitioned by");
        }
        else if (!value.equals("PARTITION_ORDERED") && partition != null)
        {
            problems.add(AssemblyErrorCode.CONTRADICTION, partition.position(),
                "a partition expression has no meaning with ordering-constraint=" + value + ", rule=" +
                    element.getAttribute("id"), "write ordering-constraint=\"PARTITION_ORDERED\" or remove it");
        }
        return value;
    }

    private boolean active(final Element element)
    {
        final Located active = Elements.attribute(element, "active");
        if (active != null && !active.value().equals("true") && !active.value().equals("false"))
        {
            problems.add(AssemblyErrorCode.BAD_VALUE, active.position(), "not true or false, attribute=active value=" +
                active.value(), "write true or false");
        }
        return active == null || active.value().equals("true");
    }

    private void refuse(final Element element, final String text, final String hint)
    {
        problems.add(AssemblyErrorCode.NOT_AVAILABLE, XmlPositions.of(element), text, hint);
    }
}
