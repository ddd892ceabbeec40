package dev.millrace.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.cache.EvictionPolicy;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.SuspendableBean;
import dev.millrace.api.stage.StreamSink;
import dev.millrace.network.cache.CacheSink;
import dev.millrace.network.cache.CacheStage;
import dev.millrace.network.cache.LocalCache;
import dev.millrace.network.cache.PreloadedCache;
import dev.millrace.network.cache.WriteBehindStore;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.NetworkDefinition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every accepted element and attribute has its documented effect. */
@Timeout(60)
class AcceptedElementsTest
{
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

    private ChannelStage channel(final String attributesAndBody) throws Exception
    {
        return Application.stage(application.assembly(TYPES + "<wlevs:channel id=\"c\" event-type=\"Tick\" " +
            attributesAndBody + "\n").define(), "c", ChannelStage.class);
    }

    @Test
    void shouldReadAllKindsOfEventTypes() throws Exception
    {
        final EventTypeRepository types = application.assembly("""
            <wlevs:event-type-repository>
              <wlevs:event-type type-name="T"><wlevs:properties type="tuple">
                <wlevs:property name="a" type="int"/><wlevs:property name="b" type="byte" length="8"/>
                <wlevs:property name="c" type="java.lang.String[]"/><wlevs:property name="d" type="java.util.Map"/>
                <wlevs:property name="e" type="java.lang.Long"/><wlevs:property name="f" type="timestamp"/>
              </wlevs:properties></wlevs:event-type>
              <wlevs:event-type type-name="M" id="m"><wlevs:property>
                <entry key="name" value="java.lang.String"/><entry key="age" value="java.lang.Integer"/>
              </wlevs:property></wlevs:event-type>
              <wlevs:event-type type-name="N"><wlevs:metadata><entry key="x" value="double"/></wlevs:metadata>
              </wlevs:event-type>
              <wlevs:event-type type-name="B">
                <wlevs:class> dev.millrace.assembly.TestStages$Trade </wlevs:class></wlevs:event-type>
            </wlevs:event-type-repository>
            """).define().eventTypes();

        assertThat(types.eventTypes()).extracting(EventType::name, EventType::kind).containsExactly(
            tuple("T", EventType.Kind.TUPLE), tuple("M", EventType.Kind.MAP), tuple("N", EventType.Kind.MAP),
            tuple("B", EventType.Kind.BEAN));
        assertThat(types.eventType("T").properties()).containsExactly(new EventProperty("a", CqlType.INT),
            new EventProperty("b", CqlType.BYTE, 8), new EventProperty("c", CqlType.OBJECT),
            new EventProperty("d", CqlType.OBJECT), new EventProperty("e", CqlType.BIGINT),
            new EventProperty("f", CqlType.TIMESTAMP));
        assertThat(types.eventType("M").properties())
            .containsExactly(new EventProperty("name", CqlType.CHAR), new EventProperty("age", CqlType.INT));
        final EventType bean = types.eventType("B");
        assertThat(bean.beanClass()).isEqualTo(TestStages.Trade.class);
        assertThat(bean.properties()).containsExactly(new EventProperty("symbol", CqlType.CHAR),
            new EventProperty("price", CqlType.DOUBLE), new EventProperty("volume", CqlType.BIGINT),
            new EventProperty("open", CqlType.BOOLEAN), new EventProperty("lots", CqlType.OBJECT));
        assertThat(application.context().getBean(EventTypeRepository.class)).isSameAs(types);
    }

    @Test
    void shouldReadAllAttributesOfChannels() throws Exception
    {
        final ChannelStage channel = channel("is-relation=\"true\" primary-key=\"symbol, at\" batching=\"true\" " +
            "max-size=\"10\" max-threads=\"1\" provider=\"oracle.channel\"/>");

        assertThat(channel.relation()).isTrue();
        assertThat(channel.primaryKey()).containsExactly("symbol", "at");
        assertThat(channel.batching()).isTrue();
        assertThat(channel.queue()).isEqualTo(new ChannelStage.Queue(1, 10));
    }

    @Test
    void shouldUseDefaultSizeWhenChannelHasThreadsOnly() throws Exception
    {
        assertThat(channel("max-threads=\"3\"/>").queue()).isEqualTo(new ChannelStage.Queue(3, 1024));
    }

    @Test
    void shouldRejectEventsWhenTheQueueIsFullAndThatIsAskedFor() throws Exception
    {
        assertThat(channel("max-threads=\"1\" max-size=\"8\" when-full=\"reject\"/>").queue())
            .isEqualTo(new ChannelStage.Queue(1, 8, true));
    }

    @Test
    void shouldLetSendersWaitWhenTheQueueIsFullAndThatIsAskedFor() throws Exception
    {
        assertThat(channel("max-threads=\"1\" max-size=\"8\" when-full=\"block\"/>").queue())
            .isEqualTo(new ChannelStage.Queue(1, 8, false));
    }

    @Test
    void shouldPassThroughWhenSizeIsZero() throws Exception
    {
        assertThat(channel("max-threads=\"3\" max-size=\"0\"/>").queue()).isEqualTo(ChannelStage.Queue.PASS_THROUGH);
    }

    @Test
    void shouldResolvePlaceholdersWhenChannelUsesThem() throws Exception
    {
        application.with(Map.of("threads", "4"));

        assertThat(channel("max-threads=\"${threads}\" max-size=\"${size:77}\"/>").queue())
            .isEqualTo(new ChannelStage.Queue(4, 77));
    }

    @Test
    void shouldReadApplicationTime() throws Exception
    {
        assertThat(channel("><wlevs:application-timestamped is-total-order=\"true\"><wlevs:expression> at " +
            "</wlevs:expression></wlevs:application-timestamped></wlevs:channel>").time())
            .isEqualTo(new ChannelStage.Time("at", true, 0));
    }

    @Test
    void shouldLetConfigurationOverrideAttributes() throws Exception
    {
        application.configuration("<channel><name>c</name><max-threads>0</max-threads><heartbeat>0</heartbeat>" +
            "</channel>\n");
        final ChannelStage channel = channel("max-threads=\"3\"/>");

        assertThat(channel.queue()).isEqualTo(ChannelStage.Queue.PASS_THROUGH);
        assertThat(channel.time()).isEqualTo(new ChannelStage.Time(null, true, 0));
    }

    @Test
    void shouldWireSameLinkOnceWhenWrittenOnBothSides() throws Exception
    {
        final NetworkDefinition network = application.assembly(TYPES + """
            <wlevs:adapter id="feed" provider="loadgen" listeners="c c"><wlevs:listener ref="c"/></wlevs:adapter>
            <wlevs:stream id="c" event-type="Tick" source="feed"><wlevs:source ref="feed"/></wlevs:stream>
            """).define();

        assertThat(network.stages().get(0).listeners()).containsExactly("c");
    }

    @Test
    void shouldMakeStagesByClassAndProviderAndNested() throws Exception
    {
        final NetworkDefinition network = application.assembly(TYPES + """
            <wlevs:adapter id="feed" class="dev.millrace.assembly.TestStages$FeedAdapter">
              <wlevs:instance-property name="names"><list><value>a</value><value>b</value></list>
              </wlevs:instance-property>
              <wlevs:property name="port" value="7"/>
              <wlevs:listener>
                <wlevs:channel event-type="Tick">
                  <wlevs:listener><wlevs:event-bean id="deep" provider="collect">
                    <wlevs:instance-property name="label" value="x"/></wlevs:event-bean></wlevs:listener>
                  <wlevs:listener><ref bean="plain"/></wlevs:listener>
                </wlevs:channel>
              </wlevs:listener>
            </wlevs:adapter>
            <bean id="plain" class="dev.millrace.assembly.TestStages$Collector"/>
            """).define();

        assertThat(network.stages()).extracting(stage -> stage.id() + " -> " + stage.listeners()).containsExactly(
            "feed -> [feed.listener1]", "feed.listener1 -> [deep, plain]", "deep -> []", "plain -> []");
        final BeanStage feed = Application.stage(network, "feed", BeanStage.class);
        assertThat(((TestStages.FeedAdapter)feed.instance()).getNames()).isEqualTo(List.of("a", "b"));
        assertThat(((TestStages.FeedAdapter)feed.instance()).getPort()).isEqualTo(7);
        final BeanStage deep = Application.stage(network, "deep", BeanStage.class);
        assertThat(deep.adapter()).isFalse();
        assertThat(((TestStages.Collector)deep.instance()).getLabel()).isEqualTo("x");
    }

    @Test
    void shouldCallNamedMethodsWhenStageIsPlainObject() throws Exception
    {
        final NetworkDefinition network = application.assembly(TYPES + """
            <wlevs:event-bean id="b" class="dev.millrace.assembly.TestStages$Plain" init-method="begin"
              activate-method="open" suspend-method="pause" destroy-method="close" onevent-method="take"/>
            <wlevs:channel id="c" event-type="Tick" listeners="b"/>
            """).define();
        final Object stage = Application.stage(network, "b", BeanStage.class).instance();
        final TestStages.Plain plain = application.context().getBean("b", TestStages.Plain.class);

        ((ActivatableBean)stage).afterConfigurationActive();
        ((StreamSink)stage).onInsertEvent("event");
        ((SuspendableBean)stage).suspend();
        application.close();

        assertThat(plain.calls()).containsExactly("begin", "open", "take event", "pause", "close");
        assertThat(stage).hasToString(plain.toString());
        assertThat(stage.equals(stage)).isTrue();
    }

    @Test
    void shouldKeepRolesWhenMethodsAreNamed() throws Exception
    {
        final NetworkDefinition network = application.assembly(TYPES + """
            <wlevs:event-bean id="b" provider="collect" activate-method="toString"/>
            <wlevs:channel id="c" event-type="Tick" listeners="b"/>
            """).define();
        final Object stage = Application.stage(network, "b", BeanStage.class).instance();

        ((StreamSink)stage).onInsertEvent("event");
        assertThat(application.context().getBean("b", TestStages.Collector.class).events()).containsExactly("event");
    }

    @Test
    void shouldRefuseWhenNamedMethodIsMissingOrRoleIsThereAlready()
    {
        assertThat(application.assembly(TYPES + """
            <wlevs:event-bean id="b" class="dev.millrace.assembly.TestStages$Plain" activate-method="opne"/>
            <wlevs:event-bean id="c" provider="collect" onevent-method="onInsertEvent"/>
            """).refusedAt()).containsExactly(
                "EPN-1204 " + Application.EPN_FILE + ":6:90", "EPN-1211 " + Application.EPN_FILE + ":7:61");
    }

    @Test
    void shouldMakeCachesWithStoreListenersAndOwnSystem() throws Exception
    {
        application.assembly(TYPES + """
            <wlevs:caching-system id="own" class="dev.millrace.assembly.TestStages$OwnCachingSystem">
              <wlevs:instance-property name="limit" value="2"/></wlevs:caching-system>
            <wlevs:cache id="c" caching-system="own" value-type="Tick" key-properties="symbol"
                key-class="java.lang.String">
              <wlevs:cache-store ref="store"/>
              <wlevs:cache-listener ref="ear"/>
              <wlevs:cache-listener><bean id="ear2" class="dev.millrace.assembly.TestStages$Ear"/>
              </wlevs:cache-listener>
            </wlevs:cache>
            <wlevs:cache id="loaded"><wlevs:cache-loader>
              <bean class="dev.millrace.assembly.TestStages$Store"/></wlevs:cache-loader></wlevs:cache>
            <bean id="store" class="dev.millrace.assembly.TestStages$Store"/>
            <bean id="ear" class="dev.millrace.assembly.TestStages$Ear"/>
            """);
        final NetworkDefinition network = application.define();
        final Cache cache = network.caches().get(0);

        for (final String key : List.of("a", "b", "c"))
        {
            cache.put(key, key);
        }

        assertThat(cache.id()).isEqualTo("c");
        assertThat(cache.size()).isEqualTo(2);
        assertThat(application.context().getBean("store", TestStages.Store.class).stored()).contains("a", "b", "c");
        assertThat(application.context().getBean("ear", TestStages.Ear.class).heard()).contains("a", "b", "c");
        assertThat(application.context().getBean("ear2", TestStages.Ear.class).heard()).contains("a", "b", "c");

        final PreloadedCache loaded = (PreloadedCache)network.caches().get(1);
        loaded.preload();
        assertThat(loaded.get("ORCL")).isEqualTo(Map.of("symbol", "ORCL"));
        loaded.put("x", "y");
        assertThat(application.context().getBean("loaded.loader", TestStages.Store.class).stored())
            .as("a store that was declared as a loader is not written to").isEmpty();
    }

    @Test
    void shouldMakeStagesOfCachesThatTakeAndSendEvents() throws Exception
    {
        final NetworkDefinition network = application.assembly(TYPES + """
            <wlevs:channel id="in" event-type="Tick" listeners="c"/>
            <wlevs:cache id="c" value-type="Tick" key-properties="symbol"><wlevs:listener ref="changes"/></wlevs:cache>
            <wlevs:channel id="changes" event-type="Tick" listeners="end"/>
            <wlevs:channel id="more" event-type="Tick" source="c" listeners="end"/>
            <wlevs:cache id="end" value-type="Tick" key-properties="symbol"/>
            <wlevs:cache id="table" value-type="Tick" key-properties="symbol" listeners="rows"/>
            <wlevs:channel id="rows" event-type="Tick" is-relation="true" primary-key="symbol"/>
            """).define();

        final BeanStage both = Application.stage(network, "c", BeanStage.class);
        assertThat(both.instance()).isInstanceOf(CacheStage.class);
        assertThat(both.listeners()).containsExactly("changes", "more");
        final BeanStage end = Application.stage(network, "end", BeanStage.class);
        assertThat(end.instance()).isInstanceOf(CacheSink.class).isNotInstanceOf(CacheStage.class);
        assertThat(end.listeners()).isEmpty();
        assertThat(Application.stage(network, "table", BeanStage.class).listeners()).containsExactly("rows");
        assertThat(network.caches()).hasSize(3);
    }

    @Test
    void shouldTakeLimitsAndWriteBehindFromTheConfiguration() throws Exception
    {
        application.assembly(TYPES + """
            <wlevs:caching-system id="local"/>
            <wlevs:cache id="c" name="n" caching-system="local"><wlevs:cache-store ref="store"/></wlevs:cache>
            <wlevs:cache id="d" caching-system="local"><wlevs:cache-store ref="store"/></wlevs:cache>
            <bean id="store" class="dev.millrace.assembly.TestStages$Store"/>
            """);
        application.configuration("""
              <caching-system><name>local</name>
                <cache><name>n</name><max-size>5</max-size><eviction-policy>LFU</eviction-policy>
                  <time-to-live>2500</time-to-live>
                  <write-behind><batch-size>7</batch-size><buffer-size>8</buffer-size>
                    <buffer-write-attempts>2</buffer-write-attempts>
                    <buffer-write-timeout>10</buffer-write-timeout></write-behind></cache>
                <cache><name>d</name><write-none/></cache>
              </caching-system>
            """);
        final NetworkDefinition network = application.define();
        final CacheSettings behind = ((LocalCache)network.caches().get(0)).settings();
        assertThat(behind.name()).isEqualTo("n");
        assertThat(behind.limits()).isEqualTo(new CacheSettings.Limits(5, EvictionPolicy.LFU, 2_500_000_000L));
        assertThat(behind.loader()).isInstanceOf(WriteBehindStore.class);
        network.caches().get(0).put("late", "value");
        network.caches().get(1).put("never", "value");

        final TestStages.Store store = application.context().getBean("store", TestStages.Store.class);
        application.close();
        assertThat(store.stored()).as("waiting changes are written at the end").containsExactly("late");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "http://www.bea.com/ns/wlevs/spring http://www.bea.com/ns/wlevs/spring/spring-wlevs-v11_0_0_0.xsd",
        "http://www.bea.com/ns/wlevs/spring http://www.bea.com/ns/wlevs/spring/spring-wlevs-v11_1_1_3.xsd",
        "http://www.bea.com/ns/wlevs/spring http://www.bea.com/ns/wlevs/spring/spring-wlevs-v12_1_3_0.xsd",
        "http://www.bea.com/ns/wlevs/spring http://www.bea.com/ns/wlevs/spring/ocep-epn.xsd",
        "https://millrace.dev/ns/epn https://millrace.dev/ns/epn/epn.xsd",
        "http://www.bea.com/ns/wlevs/spring", "https://millrace.dev/ns/epn"})
    void shouldReadFilesOfAllGenerations(final String namespaceAndLocation) throws Exception
    {
        final String namespace = namespaceAndLocation.split(" ")[0];
        final String location = namespaceAndLocation.contains(" ") ? """
              xsi:schemaLocation="
              http://www.springframework.org/schema/beans
              http://www.springframework.org/schema/beans/spring-beans-2.5.xsd
              http://www.springframework.org/schema/osgi
              http://www.springframework.org/schema/osgi/spring-osgi.xsd
              %s"
              """.formatted(namespaceAndLocation) : "";
        application.assemblyFile("a.xml", """
            <?xml version="1.0" encoding="UTF-8"?>
            <beans xmlns="http://www.springframework.org/schema/beans"
              xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
              xmlns:osgi="http://www.springframework.org/schema/osgi"
              xmlns:wlevs="%s" %s>
            %s
            <wlevs:channel id="c" event-type="Tick"/>
            </beans>
            """.formatted(namespace, location, TYPES));

        assertThat(application.define().stages()).hasSize(1);
    }

    @Test
    void shouldReadStagesInAnyPrefixAndSeveralFiles() throws Exception
    {
        application.assembly(TYPES).assemblyFile("b.xml", """
            <b:beans xmlns:b="http://www.springframework.org/schema/beans" xmlns="https://millrace.dev/ns/epn">
              <channel id="c" event-type="Tick"><listener><b:bean class="dev.millrace.assembly.TestStages$Collector"/>
              </listener></channel>
            </b:beans>
            """);

        assertThat(application.define().stages()).hasSize(2);
    }
}
