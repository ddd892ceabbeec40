package dev.millrace.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.network.Network;
import dev.millrace.network.advertised.AdvertisedStages;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.NetworkDefinition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stages that an application advertises, and channels that take their rows. Bodies start in line 3. */
@Timeout(60)
class ApplicationLinksTest
{
    private static final String CODE = "EPN-1218";
    private static final String FILE = Application.EPN_FILE;
    private static final String TYPES = """
        <wlevs:event-type-repository><wlevs:event-type type-name="Hello"><wlevs:properties>
          <wlevs:property name="message" type="char"/><wlevs:property name="number" type="int"/>
        </wlevs:properties></wlevs:event-type></wlevs:event-type-repository>
        """;
    private static final String TEXT = """
        <wlevs:event-type-repository><wlevs:event-type type-name="Text"><wlevs:properties>
          <wlevs:property name="message" type="char"/>
        </wlevs:properties></wlevs:event-type></wlevs:event-type-repository>
        """;
    private static final String PRODUCER = """
        <wlevs:adapter id="feed" provider="loadgen" listeners="out"/>
        <wlevs:channel id="out" event-type="Hello" advertise="true"/>
        """;
    private static final String CONSUMER = TYPES + """
        <wlevs:channel id="in" event-type="Hello" source="hello:out" listeners="sink"/>
        <wlevs:event-bean id="sink" provider="collect"/>
        """;

    private static final String SENDER = """
        <wlevs:adapter id="feed" provider="loadgen" listeners="out"/>
        <wlevs:channel id="out" event-type="Hello" listeners="reader:in"/>
        """;

    private final AdvertisedStages stages = new AdvertisedStages();
    private final Application producer = new Application("hello", stages);
    private final Application consumer = new Application("reader", stages);
    private Network running;

    @AfterEach
    void closeContexts()
    {
        if (running != null)
        {
            running.stop();
        }
        producer.close();
        consumer.close();
    }

    private void produce(final String body) throws Exception
    {
        running = producer.assembly(TYPES + body).assemble();
        running.start();
    }

    private static List<String> warnings(final NetworkDefinition network)
    {
        return network.warnings().stream()
            .map(warning -> warning.code() + " " + warning.position() + " " + warning.text()).toList();
    }

    private void send(final int number) throws Exception
    {
        producer.context().getBean("feed", TestStages.FeedAdapter.class).sender()
            .sendInsertEvent(Map.of("message", "Hello", "number", number));
    }

    @Test
    void shouldTakeRowsOfAdvertisedChannel() throws Exception
    {
        produce(PRODUCER);
        assertThat(running.warnings()).isEmpty();
        takesRowsOf("hello:out", CONSUMER);
    }

    @Test
    void shouldTakeRowsForSeveralChannelsOfWhichTheFirstHasAllProperties() throws Exception
    {
        produce(PRODUCER);
        final Network reader = consumer.assembly(CONSUMER + TEXT + """
            <wlevs:channel id="texts" event-type="Text" source="hello:out" listeners="other"/>
            <wlevs:event-bean id="other" provider="collect"/>
            """).assemble();
        reader.start();
        try
        {
            send(1);
            assertThat(consumer.context().getBean("sink", TestStages.Collector.class).events()).singleElement()
                .hasToString("Hello[Hello, 1]");
            assertThat(consumer.context().getBean("other", TestStages.Collector.class).events()).singleElement()
                .hasToString("Text[Hello]");
        }
        finally
        {
            reader.stop();
        }
    }

    @Test
    void shouldRefuseAChannelWhosePropertiesTheFirstOneWithItsSourceDoesNotHave() throws Exception
    {
        produce(PRODUCER);
        consumer.assembly(TYPES + TEXT + """
            <wlevs:channel id="texts" event-type="Text" source="hello:out"/>
            <wlevs:channel id="all" event-type="Hello" source="hello:out"/>
            """).isRefusedAt(CODE, FILE + ":10:52", "channel=all source=hello:out properties=[number] " +
            "type=Text[message char] expected=Hello[message char, number int]", "declare the channel with all");
    }

    @ParameterizedTest
    @ValueSource(strings = {"""
        <wlevs:adapter id="feed" provider="loadgen" advertise="true"/>
        """, """
        <wlevs:adapter id="feed" provider="loadgen" advertise="true" listeners="own"/>
        <wlevs:channel id="own" event-type="Hello"/>
        """})
    void shouldTakeRowsOfAdvertisedAdapterWithAndWithoutChannel(final String body) throws Exception
    {
        produce(body);
        assertThat(running.warnings()).isEmpty();
        takesRowsOf("hello:feed", CONSUMER.replace("source=\"hello:out\"", "")
            .replace("listeners=\"sink\"/>", "listeners=\"sink\"><wlevs:source ref=\"hello:feed\"/></wlevs:channel>"));
    }

    private void takesRowsOf(final String name, final String body) throws Exception
    {
        final Network reader = consumer.assembly(body).assemble();
        reader.start();
        try
        {
            send(1);
            assertThat(consumer.context().getBean("sink", TestStages.Collector.class).events()).singleElement()
                .hasToString("Hello[Hello, 1]");
            assertThat(stages.names()).containsExactly(name);
        }
        finally
        {
            reader.stop();
        }
    }

    @Test
    void shouldWarnWhereRowsOfTheStageCannotBeTaken() throws Exception
    {
        final NetworkDefinition network = producer.assembly(TYPES + """
            <wlevs:event-type-repository><wlevs:event-type type-name="Other"><wlevs:properties>
              <wlevs:property name="n" type="int"/></wlevs:properties></wlevs:event-type></wlevs:event-type-repository>
            <wlevs:adapter id="feed" provider="loadgen" advertise="true"/>
            <wlevs:event-bean id="sink" provider="collect" advertise="true"/>
            <wlevs:channel id="table" event-type="Hello" is-relation="true" primary-key="number" advertise="true"/>
            <wlevs:channel id="split" event-type="Hello" advertise="true"><wlevs:instance-property
              name="partitionByEventProperty" value="number"/></wlevs:channel>
            <wlevs:channel id="top" event-type="Hello"><wlevs:listener>
              <wlevs:event-bean id="inner" provider="collect" advertise="true"/></wlevs:listener></wlevs:channel>
            """).define();

        assertThat(warnings(network)).satisfiesExactly(
            each -> assertThat(each).startsWith("EPN-1216 " + FILE + ":8:56")
                .contains("type of its events is not known"),
            each -> assertThat(each).startsWith("EPN-1216 " + FILE + ":9:59").contains("it sends no events"),
            each -> assertThat(each).startsWith("EPN-1216 " + FILE + ":10:97").contains("relation", "channel=table"),
            each -> assertThat(each).startsWith("EPN-1216 " + FILE + ":11:57").contains("one listener only"),
            each -> assertThat(each).startsWith("EPN-1216 " + FILE + ":14:62").contains("nested", "event-bean=inner"));
        assertThat(network.stages()).noneMatch(stage -> stage.id().contains("#"));
    }

    @Test
    void shouldAddNothingWhereOtherApplicationsAreNotKnown() throws Exception
    {
        try (Application alone = new Application())
        {
            final NetworkDefinition network = alone.assembly(
                CONSUMER.replace("id=\"in\"", "id=\"in\" advertise=\"true\"")).define();
            assertThat(warnings(network)).singleElement().asString().startsWith("EPN-1217 " + FILE + ":6:68 ")
                .contains("channel=in source=hello:out");
            assertThat(network.stages()).extracting(stage -> stage.id()).containsExactly("hello:out", "in", "sink");
            assertThat(Application.stage(network, "in", ChannelStage.class).listeners()).containsExactly("sink");
        }
    }

    @Test
    void shouldRefuseStageThatIsNotAdvertised()
    {
        consumer.assembly(CONSUMER).isRefusedAt(CODE, FILE + ":6:51",
            "no running application advertises the stage, channel=in source=hello:out advertised=[]",
            "install hello first");
    }

    @Test
    void shouldNameTheStagesThatTheOtherApplicationAdvertises() throws Exception
    {
        produce("<wlevs:channel id=\"other\" event-type=\"Hello\" advertise=\"true\"/>\n");
        consumer.assembly(CONSUMER).isRefusedAt(CODE, FILE + ":6:51", "advertised=[hello:other]", "name one of those");
    }

    @Test
    void shouldRefuseRowsOfAnotherType() throws Exception
    {
        produce("<wlevs:channel id=\"out\" event-type=\"Hello\" advertise=\"true\"/>\n");
        consumer.assembly(CONSUMER.replace("\"int\"", "\"bigint\"")).isRefusedAt(CODE, FILE + ":6:51",
            "properties=[number] type=Hello[message char, number int] expected=Hello[message char, number bigint]",
            "the same properties");
    }

    @Test
    void shouldRefuseOwnStageWithNameOfApplication()
    {
        consumer.assembly(CONSUMER.replace("hello:out", "reader:out")).isRefusedAt(CODE, FILE + ":6:51",
            "belongs to this application", "write its id only: out");
    }

    @Test
    void shouldRefuseIncompleteNames()
    {
        consumer.assembly(TYPES + """
            <wlevs:channel id="a" event-type="Hello" source=":out"/>
            <wlevs:channel id="b" event-type="Hello" source="hello:"/>
            <wlevs:channel id="c" event-type="Hello" source="hello:out:1"/>
            <wlevs:channel id="d" event-type="Hello" listeners="hello:"/>
            """).assertRefused("EPN-1204 " + FILE + ":6:50", "EPN-1204 " + FILE + ":7:50",
            "EPN-1204 " + FILE + ":8:50", "EPN-1204 " + FILE + ":9:53");
    }

    private void accept(final String attributes) throws Exception
    {
        running = consumer.assembly(TYPES + """
            <wlevs:channel id="in" event-type="Hello" listeners="sink" ATTRIBUTES/>
            <wlevs:event-bean id="sink" provider="collect"/>
            """.replace("ATTRIBUTES", attributes)).assemble();
        running.start();
    }

    @Test
    void shouldSendRowsToAChannelOfAnotherApplication() throws Exception
    {
        accept("advertise=\"true\"");
        assertThat(stages.inputs()).containsExactly("reader:in");
        final Network sender = producer.assembly(TYPES + SENDER).assemble();
        sender.start();
        try
        {
            send(1);
            assertThat(consumer.context().getBean("sink", TestStages.Collector.class).events()).singleElement()
                .hasToString("Hello[Hello, 1]");
            assertThat(sender.conditions()).isEmpty();
        }
        finally
        {
            sender.stop();
        }
    }

    @Test
    void shouldRefuseListenersThatDoNotAcceptRows() throws Exception
    {
        producer.assembly(TYPES + SENDER).isRefusedAt(CODE, FILE + ":7:55", "no running application accepts rows at " +
            "the channel, channel=out listener=reader:in accepting=[]", "install reader first");
    }

    @Test
    void shouldRefuseAListenerThatIsFedByItsOwnApplication() throws Exception
    {
        accept("advertise=\"true\"/><wlevs:adapter id=\"own\" provider=\"loadgen\" listeners=\"in\"");
        producer.assembly(TYPES + SENDER).isRefusedAt(CODE, FILE + ":7:55", "because stages of its application feed " +
            "it, channel=out listener=reader:in accepting=[]", "name another channel that is advertised there");
    }

    @Test
    void shouldRefuseAListenerThatIsNotAdvertised() throws Exception
    {
        accept("");
        producer.assembly(TYPES + SENDER).isRefusedAt(CODE, FILE + ":7:55", "accepting=[]", "advertise=\"true\"");
    }

    @Test
    void shouldRefuseAListenerOfAnotherType() throws Exception
    {
        accept("advertise=\"true\"");
        producer.assembly(TYPES.replace("\"int\"", "\"bigint\"") + SENDER).isRefusedAt(CODE, FILE + ":7:55",
            "listener=reader:in properties=[number] type=Hello[message char, number bigint] " +
            "expected=Hello[message char, number int]", "the same properties");
    }

    @Test
    void shouldRefuseARelationAsSenderToAnotherApplication() throws Exception
    {
        accept("advertise=\"true\"");
        producer.assembly(TYPES + SENDER.replace("\"out\" ", "\"out\" is-relation=\"true\" primary-key=\"number\" "))
            .isRefusedAt(CODE, FILE + ":7:95", "the channel is a relation", "IStream");
    }

    @Test
    void shouldRefuseOwnChannelWithNameOfApplicationAsListener()
    {
        producer.assembly(TYPES + SENDER.replace("reader:in", "hello:in")).isRefusedAt(CODE, FILE + ":7:55",
            "belongs to this application, channel=out listener=hello:in", "write its id only: in");
    }

    @Test
    void shouldRefuseApplicationsThatSendRowsToEachOther() throws Exception
    {
        accept("advertise=\"true\"");
        final Network sender = producer.assembly(TYPES + SENDER).assemble();
        sender.start();
        try (Application back = new Application("hello", stages))
        {
            back.assembly(TYPES + "<wlevs:channel id=\"b\" event-type=\"Hello\" source=\"reader:in\"/>\n")
                .isRefusedAt(CODE, FILE + ":6:50", "cycle=hello <- reader <- hello", "one application");
        }
        finally
        {
            sender.stop();
        }
    }

    @Test
    void shouldNeedAChannelAboveAListenerOfAnotherApplication()
    {
        producer.assembly(TYPES + "<wlevs:adapter id=\"feed\" provider=\"loadgen\" listeners=\"reader:in\"/>\n")
            .isRefusedAt("EPN-1214", FILE + ":6:56", "from=feed to=reader:in", "declare a wlevs:channel");
    }
}
