package dev.millrace.assembly.config;

import dev.millrace.assembly.config.ComponentConfiguration.GroupBindings;
import dev.millrace.assembly.config.ComponentConfiguration.GroupParam;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.assembly.xml.XmlPositions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.w3c.dom.Element;

/** Reads the values of a component for each group of servers. Used for one component. */
final class GroupBindingsReader
{
    /** Allowed names of groups in config.xml; names of placeholders have the same syntax. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,100}");

    private final Problems problems;
    private final ElementNameCheck names;
    private final Map<String, Located> groups = new LinkedHashMap<>();
    private final Map<String, List<GroupParam>> params = new LinkedHashMap<>();
    private boolean isRead;

    GroupBindingsReader(final Problems problems, final ElementNameCheck names)
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
                "put all groups of the component into one");
            return;
        }
        isRead = true;
        names.attributes(element);
        names.noText(element);
        for (final Element group : Elements.children(element))
        {
            if (names.known(element, group, List.of("group-binding")))
            {
                group(group);
            }
        }
        if (Elements.children(element).isEmpty())
        {
            problems.add(AssemblyErrorCode.MISSING, XmlPositions.of(element), "the bindings have no group",
                "add <group-binding group-id=\"...\"> for each group of servers, or remove the element");
        }
    }

    private void group(final Element element)
    {
        names.attributes(element, "group-id");
        names.noText(element);
        final Located id = name(element, "group-id", "a group-binding needs the name of its group",
            "groups are named as in <cluster><groups> of config.xml: letters, digits, '.', '_' and '-'");
        if (id == null)
        {
            return;
        }
        final Located before = groups.putIfAbsent(id.value(), id);
        if (before != null)
        {
            problems.add(AssemblyErrorCode.DUPLICATE, id.position(),
                "the group has two bindings, group-id=" + id.value() +
                " first=" + before.position(), "put all params of the group into one group-binding");
            return;
        }
        final List<GroupParam> all = new ArrayList<>();
        for (final Element child : Elements.children(element))
        {
            if (names.known(element, child, List.of("param")))
            {
                param(child, all);
            }
        }
        if (Elements.children(element).isEmpty())
        {
            problems.add(AssemblyErrorCode.MISSING, XmlPositions.of(element),
                "the group-binding has no param, group-id=" +
                id.value(), "add <param id=\"NAME\">value</param> for each ${NAME} of the component");
        }
        params.put(id.value(), List.copyOf(all));
    }

    private void param(final Element element, final List<GroupParam> all)
    {
        names.attributes(element, "id");
        names.textOnly(element);
        final Located id = name(element, "id", "a param needs the name of its placeholder",
            "write id=\"NAME\" for ${NAME}, of letters, digits, '.', '_' and '-'");
        if (id == null)
        {
            return;
        }
        if (all.stream().anyMatch(other -> other.id().value().equals(id.value())))
        {
            problems.add(AssemblyErrorCode.DUPLICATE, id.position(),
                "the group-binding has two params of this id, id=" +
                id.value(), "remove one of them");
            return;
        }
        all.add(new GroupParam(id, Elements.text(element)));
    }

    private Located name(final Element element, final String attribute, final String text, final String hint)
    {
        final Located name = Elements.attribute(element, attribute);
        if (name != null && NAME.matcher(name.value()).matches())
        {
            return name;
        }
        problems.add(name == null ? AssemblyErrorCode.MISSING : AssemblyErrorCode.BAD_VALUE,
            name == null ? XmlPositions.of(element) : name.position(),
            text + (name == null ? "" : ", " + attribute + '=' + name.value()), hint);
        return null;
    }

    /** The values read; {@code null} when the component has none. */
    GroupBindings bindings()
    {
        return isRead ? new GroupBindings(params) : null;
    }
}
