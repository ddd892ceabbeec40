package dev.millrace.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.cache.Cache;
import dev.millrace.network.Network;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.NetworkDefinition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Files written as applications of Oracle Event Processing write them are accepted; settings with another effect give
 * warnings with their positions. Bodies start in line 3.
 */
@Timeout(60)
class OepFilesTest
{
    private static final String FILE = Application.EPN_FILE;
    private static final String TYPES = """
        <wlevs:event-type-repository><wlevs:event-type type-name="Hello"><wlevs:properties>
          <wlevs:property name="message" type="char"/><wlevs:property name="number" type="int"/>
        </wlevs:properties></wlevs:event-type></wlevs:event-type-repository>
        """;
    private static final String OTHER_TYPE = """
        <wlevs:event-type-repository><wlevs:event-type type-name="Other"><wlevs:properties>
          <wlevs:property name="number" type="int"/></wlevs:properties></wlevs:event-type></wlevs:event-type-repository>
        """;

    private final Application application = new Application();

    @AfterEach
    void closeContext()
    {
        application.close();
    }

    private static List<String> warnings(final NetworkDefinition network)
    {
        assertThat(network.warnings()).allSatisfy(warning ->
        {
            assertThat(warning.excerpt()).isNotEmpty();
            assertThat(warning.hint()).isNotEmpty();
        });
        return network.warnings().stream()
            .map(warning -> warning.code() + " " + warning.position() + " " + warning.text()).toList();
    }

    @Test
    void shouldAcceptAttributesWithoutEffectAndNameThoseThatMatter() throws Exception
    {
        final NetworkDefinition network = application.assembly(TYPES + """
            <wlevs:adapter id="feed" provider="loadgen" lazy-init="false" depends-on="sink"/>
            <wlevs:channel id="in" event-type="Hello" manageable="true" source="feed"
              advertise="true"><wlevs:listener ref="sink"/></wlevs:channel>
            <wlevs:event-bean id="sink" provider="collect" manageable="false"/>
            <wlevs:caching-system id="caches" lazy-init="true"/>
            <wlevs:cache id="c" advertise="true" lazy-init="default" caching-system="caches"/>
            """).configuration("""
            <channel><name>in</name><max-threads>1</max-threads>
              <partition-order-capacity>20</partition-order-capacity></channel>
            """).define();

        assertThat(network.stages()).extracting(stage -> stage.id()).containsExactly("feed", "in", "sink");
        assertThat(application.context().getBeanDefinition("feed").getDependsOn()).containsExactly("sink");
        assertThat(warnings(network)).hasSize(3).satisfiesExactly(
            second -> assertThat(second).startsWith("EPN-1216 " + FILE + ":10:46 ")
                .contains("id=caches lazy-init=true"),
            third -> assertThat(third).startsWith("EPN-1216 " + FILE + ":11:32 ").contains("id=c advertise=true"),
            fourth -> assertThat(fourth).startsWith("EPN-1216 " + Application.CONFIG_FILE + ":3:29 ")
                .contains("have a fixed size, channel=in element=partition-order-capacity"));
    }

    @ParameterizedTest
    @CsvSource({"advertise, yes", "lazy-init, 1", "manageable, TRUE"})
    void shouldRefuseAttributesThatAreNeitherTrueNorFalse(final String attribute, final String value)
    {
        application.assembly(TYPES + "<wlevs:channel id=\"c\" event-type=\"Hello\"\n " + attribute + "=\"" + value +
            "\"/>\n").isRefusedAt("EPN-1204", FILE + ":7:" + (attribute.length() + 4),
            "attribute=" + attribute + " value=" + value, "true or false");
    }

    @Test
    void shouldIdentifyRowsOfRelationByAllPropertiesWithoutPrimaryKey() throws Exception
    {
        final NetworkDefinition network = application.assembly(TYPES +
            "<wlevs:channel id=\"c\" event-type=\"Hello\" is-relation=\"true\"/>\n").define();

        final ChannelStage channel = Application.stage(network, "c", ChannelStage.class);
        assertThat(channel.relation()).isTrue();
        assertThat(channel.primaryKey()).isEmpty();
        assertThat(warnings(network)).singleElement().asString()
            .startsWith("EPN-1216 " + FILE + ":6:55 all properties together identify a row").contains("channel=c");
    }

    @Test
    void shouldPartitionEventsByPropertyOverListeners() throws Exception
    {
        final NetworkDefinition network = application.assembly(TYPES + """
            <wlevs:channel id="c" event-type="Hello" listeners="a b">
              <wlevs:instance-property name="partitionByEventProperty" value="message"/></wlevs:channel>
            <wlevs:event-bean id="a" provider="collect"/>
            <wlevs:event-bean id="b" provider="collect"/>
            """).define();

        assertThat(Application.stage(network, "c", ChannelStage.class).partitioner()).isEqualTo("message");
        assertThat(network.warnings()).isEmpty();
    }

    @Test
    void shouldRefuseToPartitionEventsByUnknownProperty()
    {
        application.assembly(TYPES + """
            <wlevs:channel id="c" event-type="Hello">
              <wlevs:instance-property name="partitionByEventProperty" value="massage"/></wlevs:channel>
            """).isRefusedAt("EPN-1207", FILE + ":7:67", "property=massage", "did you mean 'message'?");
    }

    @Test
    void shouldKeepCachesOfCoherenceInMemoryOfServerWithoutCluster() throws Exception
    {
        final NetworkDefinition network = application.assembly(TYPES + """
            <wlevs:caching-system id="cs" provider="coherence"/>
            <wlevs:cache id="c" value-type="Hello" key-properties="message" caching-system="cs"/>
            """).configuration("""
            <coherence-caching-system><name>cs</name>
              <coherence-cache-config>coherence-cache-config.xml</coherence-cache-config></coherence-caching-system>
            """).define();

        assertThat(application.context().getBean("c", Cache.class)).isNotNull();
        assertThat(warnings(network)).hasSize(2).satisfiesExactly(
            assembly -> assertThat(assembly).startsWith("EPN-1216 " + FILE + ":6:41 ")
                .contains("provider=coherence instead=local"),
            configuration -> assertThat(configuration).startsWith("EPN-1216 " + Application.CONFIG_FILE + ":2:1 ")
                .contains("its configuration has no effect"));
    }

    @Test
    void shouldPassEventsBetweenAdapterAndBeansWithoutChannel() throws Exception
    {
        final Network network = application.assembly(TYPES + """
            <wlevs:adapter id="feed" provider="loadgen" listeners="first">
              <wlevs:listener ref="second"/>
              <wlevs:listener><bean id="third" class="dev.millrace.assembly.TestStages$Collector"/></wlevs:listener>
            </wlevs:adapter>
            <wlevs:event-bean id="first" provider="collect"/>
            <bean id="second" class="dev.millrace.assembly.TestStages$Collector"/>
            """).assemble();
        network.start();
        try
        {
            application.context().getBean("feed", TestStages.FeedAdapter.class).sender()
                .sendInsertEvent(Map.of("message", "Hello", "number", 1));

            for (final String sink : new String[] {"first", "second", "third"})
            {
                assertThat(application.context().getBean(sink, TestStages.Collector.class).events()).as(sink)
                    .singleElement().hasToString("Hello[Hello, 1]");
            }
        }
        finally
        {
            network.stop();
        }
    }

    @Test
    void shouldGiveDirectLinkTheTypeOfTheChannelBesideIt() throws Exception
    {
        final NetworkDefinition network = application.assembly(TYPES + OTHER_TYPE + """
            <wlevs:adapter id="feed" provider="loadgen" listeners="in sink"/>
            <wlevs:channel id="in" event-type="Other"/>
            <wlevs:event-bean id="sink" provider="collect"/>
            """).define();

        final ChannelStage direct = Application.stage(network, "feed-sink", ChannelStage.class);
        assertThat(direct.eventType().name()).isEqualTo("Other");
        assertThat(direct.queue()).isEqualTo(ChannelStage.Queue.PASS_THROUGH);
        assertThat(direct.listeners()).containsExactly("sink");
        assertThat(Application.stage(network, "feed", BeanStage.class).listeners()).containsExactly("in", "feed-sink");
    }

    @Test
    void shouldGiveDirectLinkTheTypeThatTheAdapterNames() throws Exception
    {
        final NetworkDefinition network = application.with(Map.of("type", "Hello")).assembly(TYPES + OTHER_TYPE + """
            <wlevs:adapter id="feed" provider="loadgen" listeners="sink">
              <wlevs:instance-property name="eventTypeName" value="${type}"/></wlevs:adapter>
            <wlevs:event-bean id="sink" provider="collect"/>
            """).define();

        assertThat(Application.stage(network, "feed-sink", ChannelStage.class).eventType().name()).isEqualTo("Hello");
    }

    @Test
    void shouldRefuseDirectLinkWhoseTypeIsNotKnown()
    {
        application.assembly(TYPES + OTHER_TYPE + """
            <wlevs:adapter id="feed" provider="loadgen"><wlevs:listener ref="sink"/></wlevs:adapter>
            <wlevs:event-bean id="sink" provider="collect"/>
            """).isRefusedAt("EPN-1214", FILE + ":8:66", "event type between two stages without a channel is not " +
            "known, from=feed to=sink", "declare a wlevs:channel");
    }
}
