package dev.millrace.assembly;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Known elements that the platform does not support yet are refused with a specific message. Bodies start in line 3.
 */
@Timeout(60)
class RefusedElementsTest
{
    private static final String CODE = "EPN-1210";
    private static final String FILE = Application.EPN_FILE;
    private static final String TYPES = """
        <wlevs:event-type-repository><wlevs:event-type type-name="Tick"><wlevs:properties>
          <wlevs:property name="symbol" type="char"/><wlevs:property name="at" type="bigint"/>
        </wlevs:properties></wlevs:event-type></wlevs:event-type-repository>
        """;

    private final Application application = new Application();

    @AfterEach
    void closeContext()
    {
        application.close();
    }

    private void isRefusedAt(final String body, final String place, final String text, final String hint)
    {
        application.assembly(TYPES + body).isRefusedAt(CODE, FILE + ':' + place, text, hint);
    }

    private void processor(final String child, final String text, final String hint)
    {
        application.configuration(BadConfigurationTest.PROCESSOR.replace("NAME", "p")
            .replace("RULES", "<query id=\"q\">select * from a</query>"));
        isRefusedAt("<wlevs:processor id=\"p\">\n  " + child + "</wlevs:processor>\n", "7:3", text, hint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"function", "window"})
    void shouldRefuseFunctionsAndWindowsAtTopLevel(final String element)
    {
        isRefusedAt("<wlevs:" + element + "/>\n", "6:1", "belongs to a processor, element=" + element, "move it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"instance-property", "property"})
    void shouldRefusePropertiesOfProcessors(final String element)
    {
        processor("<wlevs:" + element + " name=\"a\" value=\"b\"/>", "element=" + element, "remove");
    }

    @Test
    void shouldRefuseFactories()
    {
        isRefusedAt("<wlevs:factory provider-name=\"x\" class=\"X\"/>\n", "6:1", "factories", "AdapterFactory");
    }

    @Test
    void shouldRefuseForeignCachesAndTables()
    {
        application.configuration(BadConfigurationTest.PROCESSOR.replace("NAME", "p")
            .replace("RULES", "<query id=\"q\">select * from a</query>"));
        application.assembly(TYPES + "<wlevs:processor id=\"p\"><wlevs:cache-source ref=\"b:c\"/>\n" +
            "<wlevs:table-source ref=\"b:t\"/></wlevs:processor>\n").assertRefused(CODE + ' ' + FILE + ":6:50",
            CODE + ' ' + FILE + ":7:26");
    }

    @Test
    void shouldRefuseEventPartitionersOfTheApplication()
    {
        isRefusedAt("<wlevs:channel id=\"a\" event-type=\"Tick\">\n  <wlevs:instance-property " +
            "name=\"eventPartitioner\" value=\"true\"/></wlevs:channel>\n", "7:3", "channel property=eventPartitioner",
            "partitionByEventProperty");
    }

    @Test
    void shouldRefuseEventBuilders()
    {
        application.assembly("""
            <wlevs:event-type-repository><wlevs:event-type type-name="T">
              <wlevs:class>dev.millrace.assembly.TestStages$Trade</wlevs:class>
              <wlevs:property name="builderFactory"><bean class="X"/></wlevs:property>
            </wlevs:event-type></wlevs:event-type-repository>
            """).isRefusedAt(CODE, FILE + ":5:3", "event builders", "setter");
    }

    @Test
    void shouldRefuseTimestampExpressions()
    {
        isRefusedAt("<wlevs:channel id=\"a\" event-type=\"Tick\"><wlevs:application-timestamped>\n" +
            "<wlevs:expression>at * 1000</wlevs:expression></wlevs:application-timestamped></wlevs:channel>\n",
            "7:19", "expression=at * 1000", "bigint");
    }

    @Test
    void shouldRefuseApplicationTimeWithoutExpression()
    {
        isRefusedAt("<wlevs:channel id=\"a\" event-type=\"Tick\">\n<wlevs:application-timestamped/></wlevs:channel>\n",
            "7:1", "without an expression", "wlevs:expression");
    }

    @Test
    void shouldRefuseOldLanguage()
    {
        application.configuration(BadConfigurationTest.PROCESSOR.replace("NAME", "p")
            .replace("RULES", "<query id=\"q\">select * from a</query>"));
        isRefusedAt("<wlevs:processor id=\"p\" provider=\"epl\"/>\n", "6:35", "EPL", "CQL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://www.oracle.com/ns/ocep/hadoop", "http://www.oracle.com/ns/oep/nosqldb",
        "http://www.springframework.org/schema/tx"})
    void shouldNamePartsOfOtherProductsAndNotReferencesToThem(final String namespace)
    {
        application.configuration(BadConfigurationTest.PROCESSOR.replace("NAME", "p")
            .replace("RULES", "<query id=\"q\">select * from a</query>"));
        isRefusedAt("<wlevs:processor id=\"p\"><wlevs:table-source ref=\"s\"/></wlevs:processor>\n<x:store xmlns:x=\"" +
            namespace + "\" id=\"s\"/>\n", "7:1", "element=x:store namespace=" + namespace, "");
    }

    @Test
    void shouldRefuseKeysOfSeveralPropertiesWithClass()
    {
        isRefusedAt("<wlevs:cache id=\"c\" value-type=\"Tick\" key-properties=\"symbol,at\" key-class=\"x.Key\"/>\n",
            "6:77", "keys of several properties", "one property");
    }
}
