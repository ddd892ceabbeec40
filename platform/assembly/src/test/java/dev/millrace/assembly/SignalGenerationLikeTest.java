package dev.millrace.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A whole application similar to the Signal Generation sample. */
@Timeout(60)
class SignalGenerationLikeTest
{
    static final String EPN = """
        <?xml version="1.0" encoding="UTF-8"?>
        <beans xmlns="http://www.springframework.org/schema/beans"
               xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
               xmlns:osgi="http://www.springframework.org/schema/osgi"
               xmlns:wlevs="http://www.bea.com/ns/wlevs/spring"
               xsi:schemaLocation="
          http://www.springframework.org/schema/beans
          http://www.springframework.org/schema/beans/spring-beans.xsd
          http://www.bea.com/ns/wlevs/spring
          http://www.bea.com/ns/wlevs/spring/spring-wlevs-v11_1_1_6.xsd">

          <wlevs:event-type-repository>
            <wlevs:event-type type-name="StockTick">
              <wlevs:properties>
                <wlevs:property name="symbol" type="char" length="16"/>
                <wlevs:property name="lastPrice" type="double"/>
              </wlevs:properties>
            </wlevs:event-type>
            <wlevs:event-type type-name="StockSymbol">
              <wlevs:properties type="map"><wlevs:property name="symbol" type="java.lang.String"/></wlevs:properties>
            </wlevs:event-type>
          </wlevs:event-type-repository>

          <wlevs:adapter id="loadgenAdapter" provider="loadgen">
            <wlevs:listener ref="StockTickStream"/>
            <wlevs:instance-property name="port" value="${loadgen.port}"/>
            <wlevs:instance-property name="eventTypeName" value="StockTick"/>
          </wlevs:adapter>
          <wlevs:channel id="StockTickStream" event-type="StockTick">
            <wlevs:listener ref="processor1"/>
          </wlevs:channel>
          <wlevs:processor id="processor1">
            <wlevs:cache-source ref="symbolsRelation"/>
            <wlevs:listener ref="PercentTickStream"/>
          </wlevs:processor>
          <wlevs:caching-system id="cacheSystem"/>
          <wlevs:cache id="symbolsRelation" name="symbolsCache" value-type="StockSymbol" key-properties="symbol">
            <wlevs:caching-system ref="cacheSystem"/>
            <wlevs:cache-loader ref="symbolsLoader"/>
          </wlevs:cache>
          <bean id="symbolsLoader" class="dev.millrace.assembly.TestStages$Loader"/>
          <wlevs:channel id="PercentTickStream" event-type="StockTick" listeners="output"/>
          <wlevs:channel id="TrendTickStream" event-type="StockTick" max-threads="2">
            <wlevs:source ref="processor1"/>
            <wlevs:listener>
              <bean class="dev.millrace.assembly.TestStages$Collector"><property name="label" value="trend"/></bean>
            </wlevs:listener>
          </wlevs:channel>
          <bean id="output" class="dev.millrace.assembly.TestStages$Collector">
            <property name="cache" ref="symbolsRelation"/>
          </bean>
        </beans>
        """;
    static final String CONFIG = """
        <?xml version="1.0" encoding="UTF-8"?>
        <n1:config xmlns:n1="http://www.bea.com/ns/wlevs/config/application">
          <processor>
            <name>processor1</name>
            <rules>
              <view id="s" schema="symbol lastPrice" ordering-constraint="PARTITION_ORDERED"
                    partition-expression="T.symbol">
                <![CDATA[
            RStream(select T.symbol, T.lastPrice from StockTickStream[now] as T)
                ]]>
              </view>
              <query id="perc" ordering-constraint="PARTITION_ORDERED" partition-expression="symbol"><![CDATA[select
                * from s]]></query>
              <query id="trend">select * from s where lastPrice &gt; 1</query>
            </rules>
            <workers>2</workers>
          </processor>
          <channel><name>PercentTickStream</name><selector>perc</selector></channel>
          <channel>
            <name>TrendTickStream</name>
            <max-size>64</max-size>
            <heartbeat>5000000</heartbeat>
            <selector>trend, perc</selector>
          </channel>
          <caching-system>
            <name>cacheSystem</name>
            <cache><name>symbolsCache</name><max-size>300</max-size><eviction-policy>LRU</eviction-policy></cache>
          </caching-system>
        </n1:config>
        """;

    private static Application application()
    {
        return new Application().assemblyFile("META-INF/spring/sg.context.xml", EPN)
            .configurationFile("META-INF/wlevs/sg.xml", CONFIG).with(Map.of("loadgen.port", "9001"));
    }

    @Test
    void shouldGiveAllStagesInOrderWhenWiredByListenersAndSources() throws DeploymentException
    {
        try (Application application = application())
        {
            final NetworkDefinition network = application.define();

            assertThat(network.applicationName()).isEqualTo("test.app");
            assertThat(network.stages()).extracting(stage -> stage.id() + " -> " + stage.listeners()).containsExactly(
                "loadgenAdapter -> [StockTickStream]",
                "StockTickStream -> [processor1]",
                "processor1 -> [PercentTickStream, TrendTickStream]",
                "PercentTickStream -> [output]",
                "TrendTickStream -> [TrendTickStream.listener1]",
                "TrendTickStream.listener1 -> []",
                "output -> []");
            assertThat(network.stages().get(0).position())
                .isEqualTo(new SourcePosition("META-INF/spring/sg.context.xml", 24, 3));
        }
    }

    @Test
    void shouldSetPropertiesAndPlaceholdersWhenProviderMakesAdapter() throws DeploymentException
    {
        try (Application application = application())
        {
            final BeanStage stage = Application.stage(application.define(), "loadgenAdapter", BeanStage.class);

            assertThat(stage.adapter()).isTrue();
            final TestStages.FeedAdapter adapter = (TestStages.FeedAdapter)stage.instance();
            assertThat(adapter.getPort()).isEqualTo(9001);
            assertThat(adapter.getEventTypeName()).isEqualTo("StockTick");
        }
    }

    @Test
    void shouldMakeChannelsWhenAttributesAndConfigurationAreGiven() throws DeploymentException
    {
        try (Application application = application())
        {
            final NetworkDefinition network = application.define();

            final ChannelStage ticks = Application.stage(network, "StockTickStream", ChannelStage.class);
            assertThat(ticks.queue()).isEqualTo(ChannelStage.Queue.PASS_THROUGH);
            assertThat(ticks.time()).isEqualTo(new ChannelStage.Time(null, true, 100_000_000L));
            assertThat(ticks.selector()).isEmpty();
            assertThat(ticks.eventType().properties()).containsExactly(
                new EventProperty("symbol", CqlType.CHAR, 16), new EventProperty("lastPrice", CqlType.DOUBLE));
            final ChannelStage trend = Application.stage(network, "TrendTickStream", ChannelStage.class);
            assertThat(trend.queue()).isEqualTo(new ChannelStage.Queue(2, 64));
            assertThat(trend.time().heartbeatNs()).isEqualTo(5_000_000L);
            assertThat(trend.selector()).containsExactly("trend", "perc");
        }
    }

    @Test
    void shouldKeepTextAndPlaceOfRulesWhenWrittenAsCdataOrText() throws DeploymentException
    {
        try (Application application = application())
        {
            final ProcessorStage processor =
                Application.stage(application.define(), "processor1", ProcessorStage.class);

            assertThat(processor.provider()).isEqualTo("cql");
            assertThat(processor.workers()).isEqualTo(2);
            final ProcessorStage.Rule view = processor.rules().get(0);
            assertThat(view).extracting("id", "view", "schema", "orderingConstraint", "partitionExpression", "active")
                .containsExactly("s", true, List.of("symbol", "lastPrice"), "PARTITION_ORDERED", "T.symbol", true);
            assertThat(view.text()).startsWith("\n    RStream(select").endsWith("as T)\n        ");
            assertThat(view.position()).isEqualTo(new SourcePosition("META-INF/wlevs/sg.xml", 8, 18));
            final ProcessorStage.Rule perc = processor.rules().get(1);
            assertThat(perc.text()).startsWith("select\n");
            assertThat(perc.position()).isEqualTo(new SourcePosition("META-INF/wlevs/sg.xml", 12, 103));
            final ProcessorStage.Rule trend = processor.rules().get(2);
            assertThat(trend.text()).isEqualTo("select * from s where lastPrice > 1");
            assertThat(trend.orderingConstraint()).isEqualTo("ORDERED");
            assertThat(trend.position()).isEqualTo(new SourcePosition("META-INF/wlevs/sg.xml", 14, 25));
        }
    }

    @Test
    void shouldMakeCacheWithLoaderWhenProcessorJoinsIt() throws DeploymentException
    {
        try (Application application = application())
        {
            final NetworkDefinition network = application.define();

            final ProcessorStage processor = Application.stage(network, "processor1", ProcessorStage.class);
            assertThat(processor.cacheSources()).containsOnlyKeys("symbolsRelation");
            final ProcessorStage.CacheSource source = processor.cacheSources().get("symbolsRelation");
            assertThat(source.settings().valueType().name()).isEqualTo("StockSymbol");
            assertThat(source.settings().keyProperties()).containsExactly("symbol");
            assertThat(source.settings().maxSize()).isEqualTo(300);
            assertThat(network.caches()).containsExactly(source.cache());
            final BeanStage output = Application.stage(network, "output", BeanStage.class);
            assertThat(((TestStages.Collector)output.instance()).getCache()).isSameAs(source.cache());
        }
    }
}
