package dev.millrace.assembly.epn;

import java.util.LinkedHashMap;
import java.util.Map;

/** The elements and attributes of Spring's beans namespace, so that misspelled ones are refused with a hint. */
final class SpringBeansSchema
{
    /** The elements that represent a value. */
    static final String[] VALUES = {
        "bean", "ref", "idref", "value", "null", "array", "list", "set", "map", "props"};

    private static final Map<String, ElementSchema> ELEMENTS = new LinkedHashMap<>();

    static
    {
        rule("beans").attributes("profile", "default-lazy-init", "default-merge", "default-autowire",
            "default-autowire-candidates", "default-init-method", "default-destroy-method")
            .spring("description", "import", "alias", "bean", "beans").foreign();
        rule("description").text();
        rule("import").refused("assembly files do not import others, element=import",
            "put all assembly files into META-INF/spring; they are read together");
        rule("alias").required("name", "alias");
        rule("bean").attributes("id", "name", "class", "parent", "scope", "abstract", "lazy-init", "autowire",
            "depends-on", "autowire-candidate", "primary", "init-method", "destroy-method", "factory-method",
            "factory-bean")
            .spring("description", "meta", "constructor-arg", "property", "qualifier", "lookup-method",
                "replaced-method").foreign();
        rule("meta").required("key", "value");
        rule("attribute").required("key", "value");
        rule("constructor-arg").attributes("index", "type", "name", "ref", "value")
            .spring("description").spring(VALUES).foreign();
        rule("property").required("name").attributes("ref", "value")
            .spring("description", "meta").spring(VALUES).foreign();
        rule("qualifier").attributes("type", "value").spring("attribute");
        rule("lookup-method").attributes("name", "bean");
        rule("replaced-method").attributes("name", "replacer").spring("arg-type");
        rule("arg-type").attributes("match").text();
        rule("ref").attributes("bean", "parent");
        rule("idref").attributes("bean");
        rule("value").attributes("type").text();
        rule("null").text();
        collection("array");
        collection("list");
        collection("set");
        rule("map").attributes("merge", "key-type", "value-type").spring("description", "entry");
        rule("entry").attributes("key", "key-ref", "value", "value-ref", "value-type")
            .spring("description", "key").spring(VALUES).foreign();
        rule("key").spring("description").spring(VALUES).foreign();
        rule("props").attributes("merge", "value-type").spring("prop");
        rule("prop").required("key").text();
    }

    private SpringBeansSchema()
    {
    }

    static Map<String, ElementSchema> elements()
    {
        return ELEMENTS;
    }

    private static void collection(final String name)
    {
        rule(name).attributes("merge", "value-type").spring("description").spring(VALUES).foreign();
    }

    private static ElementSchema rule(final String name)
    {
        final ElementSchema rule = new ElementSchema(name);
        ELEMENTS.put(name, rule);
        return rule;
    }
}
