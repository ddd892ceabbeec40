package dev.millrace.assembly.epn;

import java.util.LinkedHashMap;
import java.util.Map;

/** The elements and attributes of event processing networks: those of Oracle Event Processing, 11g and 12c. */
final class EpnSchema
{
    private static final Map<String, ElementSchema> TOP = new LinkedHashMap<>();

    static
    {
        final ElementSchema property = rule("property").required("name").attributes("value",
            "ref").spring("*").foreign();
        final ElementSchema instanceProperty =
            rule("instance-property").required("name").attributes("value", "ref").spring("*").foreign();
        final ElementSchema listener = rule("listener").attributes("ref").spring("bean", "ref");
        final ElementSchema source = rule("source").required("ref");
        final ElementSchema adapter = beanStage("adapter").children(listener, instanceProperty, property);
        final ElementSchema eventBean = beanStage("event-bean").children(listener, instanceProperty, property);
        final ElementSchema channel = channel("channel", listener, source, instanceProperty, property);
        final ElementSchema stream = channel("stream", listener, source, instanceProperty, property);
        final ElementSchema function = rule("function")
            .attributes("function-name", "epl-name", "exec-method", "return-type", "ref", "class")
            .spring("bean", "ref");
        final ElementSchema window = rule("window").required("window-name").attributes("ref", "class")
            .spring("bean", "ref");
        final ElementSchema processor = rule("processor")
            .attributes("id", "provider", "advertise", "listeners", "lazy-init", "manageable")
            .children(listener, source, function, window,
                rule("instance-property").refused("processors have no instance properties, element=instance-property",
                    "remove it"),
                rule("property").refused("processors have no properties, element=property", "remove it"),
                rule("cache-source").required("ref"),
                rule("table-source").required("ref"));
        listener.children(adapter, eventBean, channel, stream, processor);
        final ElementSchema cache = rule("cache")
            .attributes("id", "name", "advertise", "value-type", "key-properties", "key-class", "caching-system",
                "listeners", "lazy-init")
            .children(
                rule("listener").required("ref"),
                rule("caching-system").required("ref"),
                rule("cache-loader").attributes("ref").spring("bean", "ref"),
                rule("cache-listener").attributes("ref").spring("bean", "ref"),
                rule("cache-store").attributes("ref").spring("bean", "ref"));
        final ElementSchema cachingSystem = rule("caching-system")
            .attributes("id", "provider", "class", "advertise", "lazy-init", "depends-on")
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

    private EpnSchema()
    {
    }

    static Map<String, ElementSchema> top()
    {
        return TOP;
    }

    private static void top(final ElementSchema... rules)
    {
        for (final ElementSchema rule : rules)
        {
            TOP.put(rule.name, rule);
        }
    }

    private static ElementSchema rule(final String name)
    {
        return new ElementSchema(name);
    }

    private static ElementSchema beanStage(final String name)
    {
        return rule(name).attributes("id", "class", "provider", "advertise", "listeners", "init-method",
            "activate-method", "suspend-method", "destroy-method", "onevent-method", "lazy-init", "manageable",
            "depends-on");
    }

    private static ElementSchema channel(final String name, final ElementSchema listener, final ElementSchema source,
        final ElementSchema instanceProperty, final ElementSchema property)
    {
        return rule(name).required("event-type").attributes("id", "is-relation", "primary-key", "update-semantics",
            "silent", "batching", "max-size", "max-threads", "when-full", "partition-by", "partition-group",
            "advertise", "source", "listeners", "provider", "lazy-init", "manageable")
            .children(listener, source, instanceProperty, property,
                rule("application-timestamped").attributes("is-total-order").children(rule("expression").text()));
    }

    private static ElementSchema eventTypeRepository()
    {
        final ElementSchema field = rule("property").required("name", "type").attributes("length");
        final ElementSchema oldMap = rule("property").attributes("name", "value", "ref").spring("entry", "bean");
        return rule("event-type-repository").children(
            rule("event-type").required("type-name").attributes("id").children(
                rule("class").text(),
                rule("properties").attributes("type").children(field),
                oldMap,
                rule("metadata").spring("entry")));
    }
}
