package dev.millrace.assembly.config;

import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.assembly.xml.XmlPositions;
import dev.millrace.network.definition.ProcessorStage.Params;
import dev.millrace.network.definition.ProcessorStage.Rule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.w3c.dom.Element;

/**
 * Reads the values of parameterized queries, and creates a running query for each set of values. Used for one
 * processor.
 */
final class BindingsReader
{
    private static final Pattern ID = Pattern.compile("[\\p{L}\\p{N}_$#]+");

    private final Problems problems;
    private final ElementNameCheck names;
    private final Map<String, Located> bindings = new LinkedHashMap<>();
    private final Map<String, List<Params>> params = new LinkedHashMap<>();
    private final Map<String, List<String>> bound = new LinkedHashMap<>();
    private boolean isRead;

    BindingsReader(final Problems problems, final ElementNameCheck names)
    {
        this.problems = problems;
        this.names = names;
    }

    void read(final Element element)
    {
        if (isRead)
        {
            problems.add(AssemblyErrorCode.DUPLICATE, XmlPositions.of(element),
                "the element occurs twice, element=bindings",
                "put all bindings of the processor into one");
            return;
        }
        isRead = true;
        names.attributes(element);
        names.noText(element);
        for (final Element binding : Elements.children(element))
        {
            if (names.known(element, binding, List.of("binding")))
            {
                binding(binding);
            }
        }
    }

    private void binding(final Element element)
    {
        names.attributes(element, "id");
        names.noText(element);
        final Located id = Elements.attribute(element, "id");
        if (id == null || id.value().isEmpty())
        {
            problems.add(AssemblyErrorCode.MISSING, XmlPositions.of(element), "a binding needs the id of its query",
                "add id=\"...\"");
            return;
        }
        final Located before = bindings.putIfAbsent(id.value(), id);
        if (before != null)
        {
            problems.add(AssemblyErrorCode.DUPLICATE, id.position(), "the query has two bindings, id=" + id.value() +
                " first=" + before.position(), "put all params of the query into one binding");
            return;
        }
        final List<Params> all = new ArrayList<>();
        for (final Element child : Elements.children(element))
        {
            if (names.known(element, child, List.of("params")))
            {
                params(child, all);
            }
        }
        if (Elements.children(element).isEmpty())
        {
            problems.add(AssemblyErrorCode.MISSING, XmlPositions.of(element),
                "the binding has no params, id=" + id.value(),
                "add <params id=\"...\"> with the values of the placeholders, separated by commas");
        }
        params.put(id.value(), all);
    }

    private void params(final Element element, final List<Params> all)
    {
        names.attributes(element, "id");
        names.textOnly(element);
        final Located id = Elements.attribute(element, "id");
        if (id == null || !ID.matcher(id.value()).matches())
        {
            problems.add(id == null ? AssemblyErrorCode.MISSING : AssemblyErrorCode.BAD_VALUE,
                id == null ? XmlPositions.of(element) : id.position(),
                "params need an id of letters, digits and _, since the query is called queryId_paramsId" +
                    (id == null ? "" : ", id=" + id.value()), "add or correct id=\"...\"");
            return;
        }
        if (all.stream().anyMatch(other -> other.id().equals(id.value())))
        {
            problems.add(AssemblyErrorCode.DUPLICATE, id.position(), "the binding has two params of this id, id=" +
                id.value(), "rename one of them");
            return;
        }
        final Located text = Elements.text(element);
        final List<String> values = split(text.value());
        if (values == null)
        {
            problems.add(AssemblyErrorCode.BAD_VALUE, text.position(), "a quoted string does not end, params=" +
                id.value(), "close the quotes; inside a quoted string write them twice");
            return;
        }
        all.add(new Params(id.value(), values, text.position()));
    }

    /** Values between commas; commas inside quotes belong to the value. Null when a quoted string does not end. */
    private static List<String> split(final String text)
    {
        final List<String> values = new ArrayList<>();
        if (text.isBlank())
        {
            return values;
        }
        int start = 0;
        char quote = 0;
        for (int i = 0; i < text.length(); i++)
        {
            final char c = text.charAt(i);
            if (quote != 0)
            {
                quote = c == quote ? 0 : quote;
            }
            else if ((c == '"' || c == '\'') && text.substring(start, i).isBlank())
            {
                quote = c;
            }
            else if (c == '"' || c == '\'')
            {
                // Inside a word, as in O'Neill, or the second of two quotes, which represents one.
                quote = i > 0 && text.charAt(i - 1) == c ? c : quote;
            }
            else if (c == ',')
            {
                values.add(text.substring(start, i).strip());
                start = i + 1;
            }
        }
        values.add(text.substring(start).strip());
        return quote == 0 ? values : null;
    }

    /**
     * Replaces queries with bindings by the running queries.
     *
     * @param rules as written
     * @return rules to run
     */
    List<Rule> bind(final List<Rule> rules)
    {
        for (final Located id : bindings.values())
        {
            final Rule rule = rules.stream().filter(each -> each.id().equals(id.value())).findFirst().orElse(null);
            if (rule == null)
            {
                problems.add(AssemblyErrorCode.DANGLING_REFERENCE, id.position(), "no query for the binding, id=" +
                    id.value(), Suggestions.hint(id.value(), "queries",
                    rules.stream().filter(each -> !each.view()).map(Rule::id).toList()));
            }
            else if (rule.view())
            {
                problems.add(AssemblyErrorCode.CONTRADICTION, id.position(),
                    "a view takes no parameters, id=" + id.value(),
                    "put the placeholders into a query that reads the view, and bind that");
                params.remove(id.value());
            }
        }
        final List<Rule> running = new ArrayList<>();
        for (final Rule rule : rules)
        {
            final List<Params> own = params.get(rule.id());
            if (own == null)
            {
                running.add(rule);
                continue;
            }
            final List<Rule> made = own.stream().map(rule::bound).toList();
            bound.put(rule.id(), made.stream().map(Rule::id).toList());
            running.addAll(made);
        }
        checkIds(rules, running);
        return List.copyOf(running);
    }

    private void checkIds(final List<Rule> written, final List<Rule> running)
    {
        for (final Rule rule : running)
        {
            final boolean isTaken =
                running.stream().filter(other -> other.id().equalsIgnoreCase(rule.id())).count() > 1;
            if (rule.params() != null && isTaken)
            {
                problems.add(AssemblyErrorCode.DUPLICATE, rule.params().position(),
                    "two running queries have one id, id=" + rule.id() + " params=" + rule.params().id(),
                    "rename the params or the other one of: " +
                        String.join(", ", written.stream().map(Rule::id).toList()));
            }
        }
    }

    /** The running queries of each query with bindings, by the id of the query. */
    Map<String, List<String>> bound()
    {
        return bound;
    }
}
