package dev.millrace.assembly.config;

import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.assembly.xml.XmlPositions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.w3c.dom.Element;

/** Reads the settings of a cache. */
final class CacheReader
{
    private static final List<String> ALLOWED = List.of("name", "max-size", "eviction-policy", "time-to-live",
        "idle-time", "work-manager-name", "write-none", "write-through", "write-behind", "listeners");
    private static final List<String> WRITE_BEHIND = List.of("work-manager-name", "batch-size", "buffer-size",
        "buffer-write-attempts", "buffer-write-timeout");
    private static final List<String> POLICIES = List.of("FIFO", "LRU", "LFU", "NRU");

    private final Problems problems;
    private final ElementNameCheck names;

    CacheReader(final Problems problems, final ElementNameCheck names)
    {
        this.problems = problems;
        this.names = names;
    }

    /** Reads a cache and refuses unsupported settings. Returns its settings by name. */
    Map<String, Located> settings(final Element cache)
    {
        final Map<String, Located> values = new HashMap<>();
        names.attributes(cache);
        names.noText(cache);
        for (final Element child : Elements.children(cache))
        {
            if (!names.known(cache, child, ALLOWED))
            {
                continue;
            }
            switch (child.getLocalName())
            {
                case "max-size", "time-to-live" -> names.value(child, values);
                case "eviction-policy" -> evictionPolicy(child, values);
                case "idle-time" -> refuse(child, "expiry of entries that are not read is",
                    "use time-to-live: entries expire when they were not put again for that time");
                case "work-manager-name" -> refuse(child, "work managers of caches are", "remove the element");
                case "write-behind" -> writeBehind(child, values);
                case "write-none" -> values.put("write-none", new Located("", XmlPositions.of(child)));
                case "listeners" -> refuse(child, "the setting listeners is",
                    "remove the element; wlevs:cache-listener in the assembly file is notified of changes at once");
                default ->
                {
                    // The name has already been read; write-through is the default of a cache with a store.
                }
            }
        }
        return values;
    }

    private void writeBehind(final Element element, final Map<String, Located> values)
    {
        names.attributes(element);
        names.noText(element);
        values.put("write-behind", new Located("", XmlPositions.of(element)));
        for (final Element child : Elements.children(element))
        {
            if (!names.known(element, child, WRITE_BEHIND))
            {
                continue;
            }
            if (child.getLocalName().equals("work-manager-name"))
            {
                refuse(child, "work managers of caches are", "remove the element");
            }
            else
            {
                names.value(child, values);
            }
        }
    }

    private void evictionPolicy(final Element element, final Map<String, Located> values)
    {
        names.value(element, values);
        final Located policy = Elements.text(element);
        if (!POLICIES.contains(policy.value()))
        {
            problems.add(AssemblyErrorCode.BAD_VALUE, policy.position(),
                "unknown eviction policy, value=" + policy.value(),
                Suggestions.hint(policy.value(), "policies", POLICIES));
        }
    }

    private void refuse(final Element element, final String what, final String hint)
    {
        problems.add(AssemblyErrorCode.NOT_AVAILABLE, XmlPositions.of(element),
            what + " not available yet, element=" + element.getNodeName(), hint);
    }
}
