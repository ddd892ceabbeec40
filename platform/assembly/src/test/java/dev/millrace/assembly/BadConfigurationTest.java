package dev.millrace.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors in configuration files are refused with code, file, line, column and hint. Bodies start in line 2. */
@Timeout(60)
class BadConfigurationTest
{
    static final String PROCESSOR = "<processor><name>NAME</name><rules>RULES</rules></processor>\n";
    private static final String FILE = Application.CONFIG_FILE;
    private static final String QUERY = "<query id=\"q\">select * from in</query>";

    private final Application application = new Application().assembly("""
        <wlevs:event-type-repository><wlevs:event-type type-name="Tick"><wlevs:properties>
          <wlevs:property name="symbol" type="char"/><wlevs:property name="at" type="bigint"/>
        </wlevs:properties></wlevs:event-type></wlevs:event-type-repository>
        <wlevs:adapter id="feed" provider="loadgen"/>
        <wlevs:channel id="in" event-type="Tick" source="feed" listeners="rules"/>
        <wlevs:processor id="rules" listeners="out"/>
        <wlevs:channel id="out" event-type="Tick"/>
        <wlevs:channel id="timed" event-type="Tick"><wlevs:application-timestamped>
          <wlevs:expression>at</wlevs:expression></wlevs:application-timestamped></wlevs:channel>
        <wlevs:caching-system id="local"/>
        <wlevs:cache id="symbols" caching-system="local"/>
        <wlevs:event-bean id="bean" provider="collect"/>
        <bean id="m" class="java.lang.Object"/>
        """);

    @AfterEach
    void closeContext()
    {
        application.close();
    }

    private void isRefusedAt(
        final String body, final String code, final String place, final String text, final String hint)
    {
        application.configuration(body + PROCESSOR.replace("NAME", "rules").replace("RULES",
            "<view id=\"v\">select * from in</view>" + QUERY))
            .isRefusedAt(code, FILE + ':' + place, text, hint);
    }

    private void rulesAreRefusedAt(
        final String rules, final String code, final String place, final String text, final String hint)
    {
        application.configuration(PROCESSOR.replace("NAME", "rules").replace("RULES", rules))
            .isRefusedAt(code, FILE + ':' + place, text, hint);
    }

    @Test
    void shouldRefuseAtProcessorWhenItHasNoConfiguration()
    {
        application.isRefusedAt("EPN-1302", Application.EPN_FILE + ":8:1", "processor=rules", "META-INF/wlevs");
    }

    @Test
    void shouldRefuseAtConfigurationWhenProcessorHasNoRules()
    {
        rulesAreRefusedAt("", "EPN-1302", "2:1", "processor=rules", "META-INF/wlevs");
    }

    @Test
    void shouldRefuseWhenComponentIsNotInAssembly()
    {
        isRefusedAt("<channel>\n <name> inn </name></channel>\n", "EPN-1301", "3:9", "element=channel name=inn",
            "did you mean 'in'?");
    }

    @Test
    void shouldRefuseWhenComponentIsOfAnotherKind()
    {
        isRefusedAt("<adapter><name>in</name></adapter>\n", "EPN-1301", "2:16", "declared=channel", "element channel");
    }

    @Test
    void shouldRefuseWhenComponentIsConfiguredTwice()
    {
        isRefusedAt("<channel><name>in</name></channel>\n<stream><name>in</name></stream>\n", "EPN-1206", "3:15",
            "first=" + FILE + ":2:16", "one element");
    }

    @Test
    void shouldRefuseWhenElementIsUnknown()
    {
        isRefusedAt("<chanel/>\n", "EPN-1201", "2:1", "element=chanel", "did you mean 'channel'?");
    }

    @Test
    void shouldRefuseWhenChildIsUnknown()
    {
        isRefusedAt("<channel><name>in</name><max-sise>1</max-sise></channel>\n", "EPN-1201", "2:25",
            "parent=channel element=max-sise", "did you mean 'max-size'?");
    }

    @Test
    void shouldRefuseWhenChildrenHaveANamespace()
    {
        isRefusedAt("<c:channel/>\n", "EPN-1201", "2:1", "element=c:channel", "no namespace");
    }

    @Test
    void shouldRefuseWhenAttributeIsUnknown()
    {
        isRefusedAt("<channel id=\"in\"><name>in</name></channel>\n", "EPN-1202", "2:10", "attribute=id", "");
    }

    @Test
    void shouldRefuseWhenNameIsMissing()
    {
        isRefusedAt("<channel/>\n", "EPN-1203", "2:1", "exactly one name", "add <name>");
    }

    @Test
    void shouldRefuseWhenRootHasWrongNamespace()
    {
        application.configurationFile("x.xml", "<config xmlns=\"urn:x\"/>").assertRefused(
            "EPN-1302 " + Application.EPN_FILE + ":8:1", "EPN-1205 x.xml:1:1");
    }

    @Test
    void shouldRefuseWhenRootIsAnotherElement()
    {
        application.configurationFile("x.xml",
            "<c xmlns=\"https://millrace.dev/ns/config/application\"/>").assertRefused(
                "EPN-1302 " + Application.EPN_FILE + ":8:1", "EPN-1201 x.xml:1:1");
    }

    @Test
    void shouldRefuseWhenFileIsNotWellFormedOrHasDoctype()
    {
        application.configurationFile("x.xml", "<config>").configurationFile("y.xml", "<!DOCTYPE c><c/>")
            .assertRefused("EPN-1101 x.xml:1:9", "EPN-1102 y.xml:1:1");
    }

    @ParameterizedTest
    @CsvSource({"max-size, x", "max-size, -1", "max-threads, 1000", "heartbeat, 1s"})
    void shouldRefuseWhenNumberDoesNotFit(final String element, final String value)
    {
        isRefusedAt("<channel><name>in</name>\n<" + element + ">" + value + "</" + element + "></channel>\n",
            "EPN-1204", "3:" + (element.length() + 3), "setting=" + element + " value=" + value, "range");
    }

    @Test
    void shouldRefuseWhenHeartbeatMeetsApplicationTime()
    {
        isRefusedAt("<channel><name>timed</name><heartbeat>5</heartbeat></channel>\n", "EPN-1211", "2:39",
            "channel=timed", "remove heartbeat");
    }

    @Test
    void shouldRefuseWhenSelectorDangles()
    {
        isRefusedAt("<channel><name>out</name><selector>q, p</selector></channel>\n", "EPN-1207", "2:39",
            "selector=p", "queries: q");
    }

    @Test
    void shouldTellOnlyTheFirstCauseWhenQueriesAreMissing()
    {
        application.configurationFile("out.xml", "<c:config xmlns:c=\"https://millrace.dev/ns/config/application\">" +
            "<channel><name>out</name><selector>q</selector></channel></c:config>")
            .assertRefused("EPN-1302 " + Application.EPN_FILE + ":8:1");
    }

    @Test
    void shouldTellOnlyTheFirstCauseWhenRulesCannotBeRead()
    {
        application.configurationFile("out.xml", "<c:config xmlns:c=\"https://millrace.dev/ns/config/application\">" +
            "<channel><name>out</name><selector>q</selector></channel></c:config>")
            .configurationFile("rules.xml", "<c:config xmlns:c=\"https://millrace.dev/ns/config/application\">" +
                "<processor><name>rules</name><rules><query id=\"q\">select * from in where at < 5</query></rules>" +
                "</processor></c:config>")
            .assertRefused("EPN-1101 rules.xml:1:141");
    }

    @Test
    void shouldRefuseWhenSelectorNamesView()
    {
        isRefusedAt("<channel><name>out</name><selector>v</selector></channel>\n", "EPN-1207", "2:36",
            "a view has no output", "");
    }

    @Test
    void shouldRefuseWhenSelectorStandsBelowNoProcessor()
    {
        isRefusedAt("<channel><name>in</name><selector>q</selector></channel>\n", "EPN-1207", "2:35",
            "no processor above the channel", "there are no queries");
    }

    @Test
    void shouldRefuseWhenSettingIsThereTwice()
    {
        isRefusedAt("<channel><name>in</name><max-size>1</max-size><max-size>1</max-size></channel>\n", "EPN-1206",
            "2:47", "element=max-size", "remove one");
    }

    @Test
    void shouldRefuseWhenRuleIsIncomplete()
    {
        application.configuration(PROCESSOR.replace("NAME", "rules").replace("RULES", """

            <query>select 1</query>
            <query id="a"> </query>
            <query id="b" ordering-constraint="PARTITIONED">x</query>
            <query id="c" ordering-constraint="PARTITION_ORDERED">x</query>
            <query id="d" partition-expression="x">x</query>
            <query id="e" active="no">x</query>
            <query id="E">x</query>
            <view id="f" active="so">x</view>
            <query id="g"><x/>y</query>
            """)).assertRefused("EPN-1203 " + FILE + ":3:1", "EPN-1203 " + FILE + ":4:1",
                "EPN-1204 " + FILE + ":5:36", "EPN-1203 " + FILE + ":6:1", "EPN-1211 " + FILE + ":7:37",
                "EPN-1204 " + FILE + ":8:23", "EPN-1206 " + FILE + ":9:12", "EPN-1204 " + FILE + ":10:22",
                "EPN-1201 " + FILE + ":11:15");
    }

    @Test
    void shouldRefuseWhenWorkersIsNoNumber()
    {
        application.configuration("<processor><name>rules</name><rules>" + QUERY +
            "</rules><workers>0</workers></processor>\n")
            .isRefusedAt("EPN-1204", FILE + ":2:92", "setting=workers", "");
    }

    @Test
    void shouldRefuseOldLanguage()
    {
        rulesAreRefusedAt(QUERY + "<rule id=\"r\"/>", "EPN-1210", "2:" + (37 + QUERY.length()), "EPL", "CQL");
    }

    @Test
    void shouldRefusePartsWithoutEngine()
    {
        isRefusedAt("<event-bean><name>bean</name><trace-parameters/></event-bean>\n", "EPN-1210", "2:30",
            "element=trace-parameters", "remove the element");
    }

    @ParameterizedTest
    @ValueSource(strings = {"record-parameters", "playback-parameters"})
    void shouldRefuseToRecordCachingSystems(final String part)
    {
        isRefusedAt("<caching-system><name>local</name><" + part + "/></caching-system>\n", "EPN-1210", "2:35",
            "element=" + part, "remove the element");
    }

    @ParameterizedTest
    @ValueSource(strings = {"work-manager-name", "netio", "symbols"})
    void shouldRefuseSettingsOfAdaptersWithoutEngine(final String part)
    {
        isRefusedAt("<adapter><name>feed</name><" + part + "/></adapter>\n", "EPN-1210", "2:27", "element=" + part,
            "instance-property");
    }

    @Test
    void shouldRefuseUnknownElementsOfJmsAdapters()
    {
        isRefusedAt("<jms-adapter><name>feed</name>\n<jndi-url>t3://x</jndi-url></jms-adapter>\n", "EPN-1201", "3:1",
            "element=jndi-url", "jndi-provider-url");
    }

    @Test
    void shouldRefuseRepeatedElementsOfJmsAdapters()
    {
        isRefusedAt("<jms-adapter><name>feed</name><user>a</user>\n<user>b</user></jms-adapter>\n", "EPN-1206", "3:1",
            "element=user", "remove one");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "<json-mapper><name>orders</name></json-mapper>|EPN-1301|2:20|name=orders|beans",
        "<csv-mapper><name>feed</name></csv-mapper>|EPN-1301|2:19|name=feed|beans",
        "<jaxb-mapper><name>m</name><metadata>a.xml</metadata></jaxb-mapper>|EPN-1210|2:28|jaxb-mapper/metadata|remove",
        "<jaxb-mapper><name>m</name><event-type>T</event-type></jaxb-mapper>|EPN-1201|2:28|event-type|event-type-name",
        "<json-mapper/>|EPN-1203|2:1|exactly one name|add <name>"})
    void shouldRefuseMappersThatCannotBeConfigured(final String element, final String code, final String place,
        final String text, final String hint)
    {
        isRefusedAt(element + "\n", code, place, text, hint);
    }

    @Test
    void shouldRefuseMapperThatIsConfiguredTwice()
    {
        isRefusedAt("<json-mapper><name>m</name></json-mapper>\n<json-mapper><name>m</name></json-mapper>", "EPN-1206",
            "3:20", "configured twice", "one element");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rest-adapter", "edn-adapter", "csv-adapter"})
    void shouldRefuseComponentsThatAreNotAvailable(final String component)
    {
        isRefusedAt("<" + component + "><name>x</name></" + component + ">\n", "EPN-1210", "2:1",
            "element=" + component, "remove");
    }

    @Test
    void shouldRefuseDiagnosticProfilesUnlessTheyAreOff()
    {
        isRefusedAt("""
            <diagnostic-profiles><name>p</name><profile><enabled>false</enabled></profile>
              <profile><name>x</name></profile></diagnostic-profiles>
            """, "EPN-1210", "3:3", "element=profile", "<enabled>false</enabled>");
    }

    @ParameterizedTest
    @CsvSource({"eviction-policy, LIFO, EPN-1204", "time-to-live, 0, EPN-1204", "time-to-live, soon, EPN-1204",
        "idle-time, 5, EPN-1210", "work-manager-name, w, EPN-1210",
        "write-behind, <batch-size>0</batch-size>, EPN-1204", "write-behind, <batch-sice>1</batch-sice>, EPN-1201",
        "write-behind, <work-manager-name>w</work-manager-name>, EPN-1210",
        "listeners, '', EPN-1210", "max-size, 0, EPN-1204", "max-sice, 1, EPN-1201"})
    void shouldRefuseSettingsOfCaches(final String element, final String value, final String code)
    {
        assertThat(application.configuration("<caching-system><name>local</name><cache><name>symbols</name>\n<" +
            element + ">" + value + "</" + element + "></cache></caching-system>\n" + PROCESSOR.replace("NAME", "rules")
                .replace("RULES", QUERY)).refusedAt()).singleElement().asString().startsWith(code + " " + FILE + ":3:");
    }

    @Test
    void shouldRefuseWhenCacheIsUnknownOrConfiguredTwice()
    {
        application.configuration("<caching-system><name>local</name><cache><name>simbols</name></cache>\n" +
            "<cache><name>symbols</name></cache><cache><name>symbols</name></cache></caching-system>\n" +
            PROCESSOR.replace("NAME", "rules").replace("RULES", QUERY)).assertRefused(
                "EPN-1301 " + FILE + ":2:48", "EPN-1206 " + FILE + ":3:49");
    }

    @Test
    void shouldAcceptPartsThatAreSwitchedOff() throws Exception
    {
        assertThat(application.configuration("""
            <diagnostic-profiles><name>p</name><profile><enabled>false</enabled></profile></diagnostic-profiles>
            <event-bean><name>bean</name><trace-parameters><active>false</active></trace-parameters></event-bean>
            <adapter><name>feed</name></adapter>
            """ + PROCESSOR.replace("NAME", "rules").replace("RULES", QUERY)).define().stages()).isNotEmpty();
    }

    @Test
    void shouldAcceptOurNamespaceAndSeveralFiles() throws Exception
    {
        assertThat(application.configurationFile("a.xml",
            "<c:config xmlns:c=\"https://millrace.dev/ns/config/application\">" + PROCESSOR.replace("NAME", "rules")
                .replace("RULES", QUERY) + "</c:config>")
            .configuration("<stream><name>out</name><selector>q</selector></stream>\n").define().stages())
            .extracting(stage -> stage.id()).containsExactlyElementsOf(List.of("feed", "in", "rules", "out", "timed",
                "bean"));
    }
}
