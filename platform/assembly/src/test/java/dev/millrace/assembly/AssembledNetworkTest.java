package dev.millrace.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.network.Network;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Assembled applications run in the real network. */
@Timeout(60)
class AssembledNetworkTest
{
    private static final String TYPES = """
        <wlevs:event-type-repository><wlevs:event-type type-name="Tick"><wlevs:properties type="map">
          <wlevs:property name="symbol" type="char"/><wlevs:property name="price" type="double"/>
        </wlevs:properties></wlevs:event-type></wlevs:event-type-repository>
        """;

    private final Application application = new Application();

    @AfterEach
    void closeContext()
    {
        application.close();
    }

    private Problem problemOf(final String body)
    {
        try
        {
            application.assembly(TYPES + body).assemble();
        }
        catch (final DeploymentException e)
        {
            assertThat(e.problems()).hasSize(1);
            return e.problems().get(0);
        }
        throw new AssertionError("the application was accepted");
    }

    @Test
    void shouldCarryEventsFromAdapterToBeans() throws Exception
    {
        final Network network = application.assembly(TYPES + """
            <wlevs:adapter id="feed" provider="loadgen"/>
            <wlevs:channel id="c" event-type="Tick" source="feed" listeners="first">
              <wlevs:listener><bean id="second" class="dev.millrace.assembly.TestStages$Collector"/></wlevs:listener>
            </wlevs:channel>
            <wlevs:event-bean id="first" provider="collect"/>
            """).assemble();
        network.start();
        try
        {
            application.context().getBean("feed", TestStages.FeedAdapter.class).sender()
                .sendInsertEvent(Map.of("symbol", "ORCL", "price", 41.5));

            for (final String sink : new String[] {"first", "second"})
            {
                assertThat(application.context().getBean(sink, TestStages.Collector.class).events())
                    .containsExactly(Map.of("symbol", "ORCL", "price", 41.5));
            }
            assertThat(network.statistics()).containsEntry("application", "test.app");
        }
        finally
        {
            network.stop();
        }
    }

    @Test
    void shouldGiveActivationMethodToNetwork() throws Exception
    {
        final Network network = application.assembly(TYPES + """
            <wlevs:event-bean id="b" class="dev.millrace.assembly.TestStages$Plain"
              activate-method="open" onevent-method="take"/>
            <wlevs:adapter id="feed" provider="loadgen"/>
            <wlevs:channel id="c" event-type="Tick" source="feed" listeners="b"/>
            """).assemble();
        network.start();
        try
        {
            application.context().getBean("feed", TestStages.FeedAdapter.class).sender()
                .sendInsertEvent(Map.of("symbol", "X", "price", 1.0));

            assertThat(application.context().getBean("b", TestStages.Plain.class).calls()).hasSize(2)
                .first().isEqualTo("open");
        }
        finally
        {
            network.stop();
        }
    }

    @Test
    void shouldShowLineWhenNetworkRefusesCycle()
    {
        final Problem problem = problemOf("""
            <wlevs:channel id="a" event-type="Tick" listeners="b"/>
            <wlevs:channel id="b" event-type="Tick" listeners="a"/>
            """);

        assertThat(problem.position().file()).isEqualTo(Application.EPN_FILE);
        assertThat(problem.position().line()).isIn(6, 7);
        assertThat(problem.excerpt()).contains("<wlevs:channel id=");
    }

    @Test
    void shouldShowPlaceOfCacheWhenLoaderFails()
    {
        final Problem problem = problemOf("""
            <wlevs:cache id="c"><wlevs:cache-loader>
              <bean class="dev.millrace.assembly.TestStages$FailingLoader"/></wlevs:cache-loader></wlevs:cache>
            """);

        assertThat(problem.position()).hasToString(Application.EPN_FILE + ":6:1");
        assertThat(problem.text()).contains("cache=c").contains("line 7: no comma");
        assertThat(problem.excerpt()).contains("<wlevs:cache id=\"c\">");
    }

    @Test
    void shouldRefuseWhenLoaderIsOfWrongClass()
    {
        final Problem problem = problemOf("""
            <wlevs:cache id="c"><wlevs:cache-loader ref="l"/></wlevs:cache>
            <bean id="l" class="dev.millrace.assembly.TestStages$Plain"/>
            """);

        assertThat(problem.code()).isEqualTo("EPN-1401");
        assertThat(problem.position()).hasToString(Application.EPN_FILE + ":6:1");
        assertThat(problem.text()).contains("bean=c").contains("CacheLoader");
    }
}
