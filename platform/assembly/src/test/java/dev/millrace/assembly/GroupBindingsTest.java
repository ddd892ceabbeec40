package dev.millrace.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.NetworkDefinition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Settings of adapters and channels that differ by group of servers; wrong bindings are refused with their position.
 */
@Timeout(60)
class GroupBindingsTest
{
    private static final String FILE = Application.CONFIG_FILE;
    private static final String ADAPTER = "<wlevs:adapter id=\"feed\" provider=\"loadgen\">\n%s</wlevs:adapter>\n";
    private static final String EPN = """
        <wlevs:event-type-repository><wlevs:event-type type-name="Tick"><wlevs:properties>
          <wlevs:property name="symbol" type="char"/><wlevs:property name="at" type="bigint"/>
        </wlevs:properties></wlevs:event-type></wlevs:event-type-repository>
        """ + ADAPTER + """
        <wlevs:channel id="in" event-type="Tick" source="feed" listeners="rules"/>
        <wlevs:processor id="rules" listeners="out"/>
        <wlevs:channel id="out" event-type="Tick"/>
        """;
    private static final String RULES = "<processor><name>rules</name><rules><query id=\"low\">select 1</query>" +
        "<query id=\"high\">select 2</query><query id=\"all\">select 3</query></rules></processor>\n";
    private static final String TYPE = "<wlevs:instance-property name=\"eventTypeName\" value=\"VALUE\"/>";

    private Application application;

    @AfterEach
    void closeContext()
    {
        application.close();
    }

    private Application on(final String groups, final String properties)
    {
        application = new Application(groups.isEmpty() ? new String[0] : groups.split(" "));
        return application.assembly(EPN.formatted(properties));
    }

    private static String group(final String name, final String... params)
    {
        final StringBuilder out = new StringBuilder("<group-binding group-id=\"" + name + "\">");
        for (int i = 0; i < params.length; i += 2)
        {
            out.append("<param id=\"").append(params[i]).append("\">").append(params[i + 1]).append("</param>");
        }
        return out + "</group-binding>";
    }

    /** The groups begin in line 3. */
    private static String adapter(final String groups)
    {
        return "<adapter><name>feed</name><bindings>\n" + groups + "</bindings></adapter>\n" + RULES;
    }

    private static String channel(final String selector, final String bindings)
    {
        return "<channel><name>out</name><selector>" + selector + "</selector>\n" + bindings + "</channel>\n" + RULES;
    }

    private static TestStages.FeedAdapter feed(final NetworkDefinition network)
    {
        return (TestStages.FeedAdapter)Application.stage(network, "feed", BeanStage.class).instance();
    }

    private static List<String> selector(final NetworkDefinition network)
    {
        return Application.stage(network, "out", ChannelStage.class).selector();
    }

    private String typeName(final String groups, final String value, final String bindings) throws Exception
    {
        return feed(on(groups, TYPE.replace("VALUE", value)).configuration(adapter(bindings)).define())
            .getEventTypeName();
    }

    @ParameterizedTest
    @CsvSource({"a, price < 10", "b, price >= 10", "c b d, price >= 10"})
    void shouldGiveAdapterTheValueOfTheGroupOfItsServer(final String groups, final String expected) throws Exception
    {
        assertThat(typeName(groups, "${CONDITION}",
            group("a", "CONDITION", "price &lt; 10") + group("b", "CONDITION", " price &gt;= 10\n")))
            .isEqualTo(expected);
    }

    @Test
    void shouldSetPropertiesOfAdaptersByTheElementForJmsWithTheValueOfTheGroup() throws Exception
    {
        final TestStages.FeedAdapter feed = feed(on("a", TYPE.replace("VALUE", "Other") +
            "<wlevs:instance-property name=\"port\" value=\"1\"/>").configuration("<jms-adapter><name>feed</name>" +
            "<event-type>${TYPE}</event-type><message-selector>id > ${LEAST}</message-selector><bindings>" +
            group("a", "TYPE", "Tick", "LEAST", "7") + "</bindings></jms-adapter>" + RULES).define());

        assertThat(feed.getEventTypeName()).isEqualTo("Tick");
        assertThat(feed.getMessageSelector()).isEqualTo("id > 7");
        assertThat(feed.getPort()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"json-mapper, json", "jaxb-mapper, jaxb", "csv-mapper, csv"})
    void shouldSetPropertiesOfTheMapperOfAnAdapter(final String element, final String format) throws Exception
    {
        final TestStages.Mapper mapper = feed(on("", "<wlevs:instance-property name=\"mapper\" ref=\"orders\"/>")
            .assemblyFile("beans.xml", Application.HEADER + "<bean id=\"orders\" class=\"" +
                TestStages.Mapper.class.getName() + "\" factory-method=\"create\"/>" + Application.FOOTER)
            .with(Map.of("type", "Order")).configuration("<" + element + "><name>orders</name><event-type-name>" +
                "${type}</event-type-name></" + element + ">" + RULES).define()).getMapper();

        assertThat(mapper.getFormat()).isEqualTo(format);
        assertThat(mapper.getEventTypeName()).isEqualTo("Order");
    }

    @Test
    void shouldPutValuesIntoTextsListsAndNumbers() throws Exception
    {
        final TestStages.FeedAdapter feed = feed(on("a", "<wlevs:instance-property name=\"port\" value=\"90${NO}\"/>" +
            "<wlevs:instance-property name=\"names\"><list><value>${NO}-${X}</value><value>x${X}</value></list>" +
            "</wlevs:instance-property>" + TYPE.replace("VALUE", "$NO {NO} ${ NO }"))
            .configuration(adapter(group("a", "NO", "17", "X", ""))).define());

        assertThat(feed.getPort()).isEqualTo(9017);
        assertThat(feed.getNames()).containsExactly("17-", "x");
        assertThat(feed.getEventTypeName()).isEqualTo("$NO {NO} 17");
    }

    @Test
    void shouldLetTheGroupWinAndLeaveAllElseToOtherPlaceholders() throws Exception
    {
        on("a", TYPE.replace("VALUE", "${ONE} ${TWO} ${THREE:three} ${FOUR:four${ONE}} ${FIVE:${SIX:x}}"))
            .with(Map.of("ONE", "not this", "TWO", "two", "inner", "deep", "SIX", "not this"));

        assertThat(feed(application.configuration(adapter(
            group("a", "ONE", "1 ${inner}", "SIX", "6") + group("b", "THREE", "3"))).define()).getEventTypeName())
            .isEqualTo("1 deep two three four1 deep 6");
    }

    @Test
    void shouldTouchNoOtherStage() throws Exception
    {
        on("a", TYPE.replace("VALUE", "${CONDITION}")).with(Map.of("CONDITION", "outside"));

        final NetworkDefinition network = application.assemblyFile("more.xml", Application.HEADER +
            "<wlevs:adapter id=\"other\" provider=\"loadgen\">" + TYPE.replace("VALUE", "${CONDITION}") +
            "</wlevs:adapter>" + Application.FOOTER)
            .configuration(adapter(group("a", "CONDITION", "inside"))).define();

        assertThat(feed(network).getEventTypeName()).isEqualTo("inside");
        assertThat(((TestStages.FeedAdapter)Application.stage(network, "other", BeanStage.class).instance())
            .getEventTypeName()).isEqualTo("outside");
    }

    @ParameterizedTest
    @CsvSource({"a, ${Q}, low", "b, ${Q}, low high", "b, 'all, ${Q}', all low high", "'', ${Q:all}, all",
        "a, ${Q:all}, low", "'', '${OTHER:high} ${Q:low}', high low"})
    void shouldGiveChannelTheSelectorOfTheGroupOfItsServer(
        final String groups, final String written, final String expected) throws Exception
    {
        final NetworkDefinition network = on(groups, "").configuration(channel(written, "<bindings>" +
            group("a", "Q", "low") + group("b", "Q", "low,\n high") + "</bindings>")).define();

        assertThat(selector(network)).containsExactly(expected.split(" "));
    }

    @Test
    void shouldFillSelectorFromPropertiesWithoutBindings() throws Exception
    {
        on("", "").with(Map.of("queries", "high"));

        assertThat(selector(application.configuration(channel("${queries} low", "")).define()))
            .containsExactly("high", "low");
    }

    @Test
    void shouldAcceptOneValueOfTwoGroups() throws Exception
    {
        assertThat(typeName("a b", "${X}", group("a", "X", "same") + group("b", "X", "same"))).isEqualTo("same");
    }

    @Test
    void shouldRefuseTwoValuesOfTwoGroups()
    {
        on("a b", TYPE.replace("VALUE", "${X}")).configuration(adapter(
            group("a", "X", "one") + "\n" + group("b", "X", "two")))
            .isRefusedAt("EPN-1211", FILE + ":4:40", "id=X groups=a, b values=one, two", "<groups> in config.xml");
    }

    @ParameterizedTest
    @CsvSource({"'', none", "'z c', 'c, z'"})
    void shouldRefuseAdapterWhenNoGroupOfItsServerHasAValue(final String groups, final String named)
    {
        on(groups, TYPE.replace("VALUE", "if ${X}")).configuration(adapter(
            group("b", "X", "1") + group("a", "X", "2")))
            .isRefusedAt("EPN-1404", Application.EPN_FILE + ":7:57", "the placeholder has no value, name=X groups of " +
                "this server=" + named + " groups with a value=b, a", "add a group-binding");
    }

    @ParameterizedTest
    @CsvSource({"a, ''", "b, ' groups of this server=b groups with a value=a'"})
    void shouldNameThePlacesThatHaveNoValueAlone(final String groups, final String of)
    {
        on(groups, TYPE.replace("VALUE", "${X}") + "\n").assemblyFile("more.xml", Application.HEADER +
            "<wlevs:adapter id=\"other\" provider=\"loadgen\">\n" + TYPE.replace("VALUE", "${X}") +
            "</wlevs:adapter>" + Application.FOOTER).configuration(adapter(group("a", "X", "1")));
        final String nothing = " the placeholder has no value, name=X";
        final String there = "EPN-1404 more.xml:4:54" + nothing;

        assertThat(application.refused())
            .extracting(problem -> problem.code() + " " + problem.position() + " " + problem.text())
            .containsExactlyElementsOf(of.isEmpty() ? List.of(there) :
                List.of("EPN-1404 " + Application.EPN_FILE + ":7:54" + nothing + of, there));
    }

    @ParameterizedTest
    @CsvSource({"'', none", "'z c', 'c, z'"})
    void shouldRefuseSelectorWhenNoGroupOfItsServerHasAValue(final String groups, final String named)
    {
        on(groups, "").configuration(channel("all ${X}", "<bindings>" + group("a", "X", "low") + "</bindings>"))
            .isRefusedAt("EPN-1404", FILE + ":2:36", "the placeholder has no value, name=X groups of this server=" +
                named + " groups with a value=a", "-DX=value");
    }

    @Test
    void shouldRefuseSelectorWhenNothingHasAValue()
    {
        on("a", "").configuration(channel("${X}", ""))
            .isRefusedAt("EPN-1404", FILE + ":2:36", "the placeholder has no value, name=X", "-DX=value");
    }

    @Test
    void shouldRefuseSelectorOfAGroupThatNamesNoQuery()
    {
        on("a", "").configuration(channel("${X}", "<bindings>" + group("a", "X", "lo") + "</bindings>"))
            .isRefusedAt("EPN-1207", FILE + ":2:36", "selector=lo", "queries: all, high, low");
    }

    @Test
    void shouldRefuseParamThatNoValueHasAlsoOfOtherGroups()
    {
        on("a", TYPE.replace("VALUE", "${CONDITION:x}")).configuration(adapter(
            group("a", "CONDITION", "y") + "\n" + group("b", "CONDITON", "z")))
            .isRefusedAt("EPN-1207", FILE + ":4:40", "component=feed id=CONDITON", "did you mean 'CONDITION'?");
    }

    @Test
    void shouldRefuseParamsOfAChannelWithoutPlaceholder()
    {
        on("a", "").configuration(channel("low", "<bindings>" + group("a", "X", "low") + "</bindings>"))
            .isRefusedAt("EPN-1207", FILE + ":3:50", "component=out id=X", "there are no placeholders");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "|EPN-1203|2:27|the bindings have no group|add <group-binding",
        "<group-binding><param id=\"X\">1</param></group-binding>|EPN-1203|3:1|needs the name of its group|config.xml",
        "<group-binding group-id=\"\"/>|EPN-1204|3:26|needs the name of its group|config.xml",
        "<group-binding group-id=\"no name\"/>|EPN-1204|3:26|group-id=no name|config.xml",
        "<group-binding group-id=\"a\"/>|EPN-1203|3:1|no param, group-id=a|add <param",
        "<group-binding group-id=\"a\"><param>1</param></group-binding>|EPN-1203|3:29|name of its placeholder|write id",
        "<group-binding group-id=\"a\"><param id=\"X:1\">1</param></group-binding>|EPN-1204|3:40|id=X:1|write id",
        "<group-binding group-id=\"a\"><param id=\"X\">1</param><param id=\"X\">1</param></group-binding>|EPN-1206|" +
            "3:63|two params of this id, id=X|remove",
        "<group-binding group-id=\"a\"><params id=\"X\">1</params></group-binding>|EPN-1201|3:29|element=params|param",
        "<group-binding group-id=\"a\"><param id=\"X\"><b/></param></group-binding>|EPN-1201|3:43|element=b|",
        "<group-binding group-id=\"a\" id=\"b\"><param id=\"X\">1</param></group-binding>|EPN-1202|3:29|attribute=id|",
        "<binding id=\"a\"><params id=\"X\">1</params></binding>|EPN-1201|3:1|element=binding|'group-binding'"})
    void shouldRefuseWrongBindings(
        final String groups, final String code, final String place, final String text, final String hint)
    {
        on("a", TYPE.replace("VALUE", "${X:1}")).configuration(adapter(groups == null ? "" : groups))
            .isRefusedAt(code, FILE + ':' + place, text, hint == null ? "" : hint);
    }

    @Test
    void shouldRefuseASecondElementAndASecondBindingOfAGroup()
    {
        final String group = group("a", "X", "1");
        on("a", TYPE.replace("VALUE", "${X}")).configuration(adapter(group + "\n" + group)
            .replace("</adapter>", "\n<bindings/></adapter>"))
            .assertRefused("EPN-1206 " + FILE + ":4:26", "EPN-1206 " + FILE + ":5:1");
    }

    @Test
    void shouldPlaceBindingsWithWrongNamespaceLikeOtherElements()
    {
        on("a", "").configuration(adapter("").replace("<bindings>\n</bindings>",
            "<x:bindings xmlns:x=\"urn:x\"/>"))
            .isRefusedAt("EPN-1201", FILE + ":2:27", "namespace=urn:x", "have no namespace");
    }

    @ParameterizedTest
    @ValueSource(strings = {"event-bean", "http-pub-sub-adapter"})
    void shouldRefuseBindingsOfOtherComponents(final String component)
    {
        on("a", "").configuration(RULES + "<" + component + "><name>x</name><bindings/></" + component + ">\n");

        assertThat(application.refusedAt()).allMatch(each -> each.matches("EPN-1(201|210|301) " + FILE + ":3:.*"))
            .isNotEmpty();
    }

    /** The example of the user documentation, on its two servers. */
    @ParameterizedTest
    @CsvSource({"ActiveActiveGroupBean_a, 9101, low", "ActiveActiveGroupBean_b, 9102, 'low high'"})
    void shouldRunTheExampleOfTheDocumentation(final String group, final int port, final String selector)
        throws Exception
    {
        final String readme = Files.readString(Path.of("../../domains/groups.md"));
        application = new Application(group);
        final NetworkDefinition network = application.assembly(EPN.replace(ADAPTER, example(readme,
            "    <wlevs:adapter id=\"feed\" provider=\"loadgen\">\n      <wlevs:instance-property name=\"port\"")))
            .configuration(example(readme, "    <adapter><name>feed</name>") + RULES).define();

        assertThat(feed(network).getPort()).isEqualTo(port);
        assertThat(selector(network)).containsExactly(selector.split(" "));
    }

    /** From the line that begins with a string to the next empty line. */
    private static String example(final String text, final String start)
    {
        final int begin = text.indexOf('\n' + start) + 1;
        assertThat(begin).as("the document has a line that begins with %s", start).isPositive();
        return text.substring(begin, text.indexOf("\n\n", begin) + 1);
    }
}
