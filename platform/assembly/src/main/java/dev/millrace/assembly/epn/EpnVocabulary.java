package dev.millrace.assembly.epn;

import java.util.LinkedHashMap;
import java.util.Map;

/** The elements and attributes of event processing networks: those of Oracle Event Processing, 11g and 12c. */
final class EpnVocabulary
{
    private static final Map<String, ElementRule> TOP = new LinkedHashMap<>();

    static
    {
        final ElementRule property = rule("property").required("name").attributes("value", "ref").spring("*").foreign();
        final ElementRule instanceProperty =
            rule("instance-property").required("name").attributes("value", "ref").spring("*").foreign();
        final ElementRule listener = rule("listener").attributes("ref").spring("bean", "ref");
        final ElementRule source = rule("source").required("ref");
        final ElementRule adapter = beanStage("adapter").children(listener, instanceProperty, property);
        final ElementRule eventBean = beanStage("event-bean").children(listener, instanceProperty, property);
        final ElementRule channel = channel("channel", listener, source, instanceProperty, property);
        final ElementRule stream = channel("stream", listener, source, instanceProperty, property);
        final ElementRule function = rule("function")
            .attributes("function-name", "epl-name", "exec-method", "return-type", "ref", "class")
            .spring("bean", "ref");
        final ElementRule window = rule("window").required("window-name").attributes("ref", "class")
            .spring("bean", "ref");
        final ElementRule processor = rule("processor").attributes("id", "provider", "advertise", "listeners")
            .children(listener, source, function, window,
                rule("instance-property").refused("processors have no instance properties, element=instance-property",
                    "remove it"),
                rule("property").refused("processors have no properties, element=property", "remove it"),
                rule("cache-source").required("ref"),
                rule("table-source").required("ref"));
        listener.children(adapter, eventBean, channel, stream, processor);
        final ElementRule cache = rule("cache")
            .attributes("id", "name", "advertise", "value-type", "key-properties", "key-class", "caching-system",
                "listeners")
            .children(
                rule("listener").required("ref"),
                rule("caching-system").required("ref"),
                rule("cache-loader").attributes("ref").spring("bean", "ref"),
                rule("cache-listener").attributes("ref").spring("bean", "ref"),
                rule("cache-store").attributes("ref").spring("bean", "ref"));
        final ElementRule cachingSystem = rule("caching-system").attributes("id", "provider", "class", "advertise")
            .children(instanceProperty, property);
        top(eventTypeRepository(), adapter, eventBean, channel, stream, processor, cache, cachingSystem,
            rule("factory").refused("factories declared in assembly files are not available yet, element=factory",
                "register the factory as an OSGi service (dev.millrace.api.stage.AdapterFactory with property type), " +
                    "or use class= instead of provider="),
            rule("function").refused("a function belongs to a processor, element=function",
                "move it into the wlevs:processor whose rules call it; several processors may share one bean by ref"),
            rule("window").refused("a window belongs to a processor, element=window",
                "move it into the wlevs:processor whose rules use it; several processors may share one bean by ref"),
            rule("table").required("id", "event-type", "data-source").attributes("table-name"));
    }

    private EpnVocabulary()
    {
    }

    static Map<String, ElementRule> top()
    {
        return TOP;
    }

    private static void top(final ElementRule... rules)
    {
        for (final ElementRule rule : rules)
        {
            TOP.put(rule.name, rule);
        }
    }

    private static ElementRule rule(final String name)
    {
        return new ElementRule(name);
    }

    private static ElementRule beanStage(final String name)
    {
        return rule(name).attributes("id", "class", "provider", "advertise", "listeners", "init-method",
            "activate-method", "suspend-method", "destroy-method", "onevent-method");
    }

    private static ElementRule channel(final String name, final ElementRule listener, final ElementRule source,
        final ElementRule instanceProperty, final ElementRule property)
    {
        return rule(name).required("event-type").attributes("id", "is-relation", "primary-key", "update-semantics",
            "silent", "batching", "max-size", "max-threads", "when-full", "partition-by", "partition-group",
            "advertise", "source", "listeners", "provider")
            .children(listener, source, instanceProperty, property,
                rule("application-timestamped").attributes("is-total-order").children(rule("expression").text()));
    }

    private static ElementRule eventTypeRepository()
    {
        final ElementRule field = rule("property").required("name", "type").attributes("length");
        final ElementRule oldMap = rule("property").attributes("name", "value", "ref").spring("entry", "bean");
        return rule("event-type-repository").children(
            rule("event-type").required("type-name").attributes("id").children(
                rule("class").text(),
                rule("properties").attributes("type").children(field),
                oldMap,
                rule("metadata").spring("entry")));
    }
}
