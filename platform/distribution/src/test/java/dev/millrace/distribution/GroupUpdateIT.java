package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.command.instance.FreePorts;
import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A group of two servers with a partitioned channel gets new versions of its application. */
@Timeout(300)
class GroupUpdateIT
{
    private static final int PORTS = 4;
    private static final int SYMBOLS = 40;

    private static final String ASSEMBLY = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring">
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Tick"><wlevs:properties>
              <wlevs:property name="symbol" type="char"/><wlevs:property name="seq" type="bigint"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Known"><wlevs:properties>
              <wlevs:property name="symbol" type="char"/><wlevs:property name="n" type="bigint"/>
              <wlevs:property name="first" type="bigint"/><wlevs:property name="last" type="bigint"/>
            </wlevs:properties></wlevs:event-type>
          </wlevs:event-type-repository>
          <wlevs:adapter id="tradesIn" provider="loadgen">
            <wlevs:instance-property name="port" value="0"/><wlevs:listener ref="trades"/>
          </wlevs:adapter>
          <wlevs:channel id="trades" event-type="Tick" listeners="counts" partition-by="symbol"/>
          <wlevs:processor id="counts" listeners="known"/>
          <wlevs:channel id="known" event-type="Known" listeners="ofKnown"/>
          <bean id="ofKnown" class="dev.millrace.distribution.RowsFile">
            <property name="path" value="${wlevs.domain.home}/known.txt"/></bean>
          MORE
        </beans>
        """;
    private static final String MORE = """
        <bean id="more" class="dev.millrace.distribution.RowsFile">
          <property name="path" value="${wlevs.domain.home}/PATH"/></bean>
        """;
    private static final String RULES = """
        <c:config xmlns:c="http://www.bea.com/ns/wlevs/config/application">
          <processor><name>counts</name><rules>
            <query id="g">IStream(select symbol, count(*) as n, min(seq) as first, max(seq) as last
              from trades group by symbol)</query>
          </rules></processor>
        </c:config>
        """;

    @TempDir
    private Path directory;

    private int sent;

    @Test
    void shouldKeepTheStateOfSharedRulesAndGoBackTogetherWhenOneMemberRefuses() throws Exception
    {
        final int discovery = FreePorts.range(2 * PORTS);
        try (SharedWorkMember one = member(1, discovery); SharedWorkMember two = member(2, discovery))
        {
            one.instance.awaitRunning();
            two.instance.awaitRunning();
            Product.await("both see each other", 60, () -> one.members().equals("[server1, server2]") &&
                two.members().equals("[server1, server2]"));
            final Result installed = one.instance.app("install", "--group", "all", bundle("1.0.0", ""));
            assertThat(installed.exitCode()).as(installed.output()).isZero();
            sendAndCheck(one, two);

            final Result updated = two.instance.app(
                "update", "--group", "all", bundle("1.1.0", MORE.replace("PATH", "more.txt")));
            assertThat(updated.exitCode()).as(updated.output()).isZero();
            assertThat(updated.output()).containsPattern("server1 +done +RUNNING")
                .containsPattern("server2 +done +RUNNING").contains("counts/g KEPT",
                "adapter tradesIn was kept with its connections");
            sendAndCheck(one, two);

            Files.createDirectories(one.instance.domain.directory().resolve("here"));
            final Result refused = one.instance.app(
                "update", "--group", "all", bundle("1.2.0", MORE.replace("PATH", "here/more.txt")));
            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.output()).containsPattern("server1 +done +RUNNING")
                .containsPattern("server2 +failed +RUNNING  keeps version 2")
                .contains("here/more.txt")
                .contains("note: refused by server2: version 4 restores version 2, on all members");
            assertThat(two.instance.app("list").output()).contains("1.1.0");
            assertThat(one.instance.app("list").output()).contains("1.1.0");
            sendAndCheck(one, two);
        }
    }

    /** Each symbol is sent to one member, and its rows are counted from the first one, on whichever member. */
    private void sendAndCheck(final SharedWorkMember one, final SharedWorkMember two) throws Exception
    {
        for (int i = 0; i < 50; i++)
        {
            sent++;
            final StringBuilder[] lines = {new StringBuilder(), new StringBuilder()};
            for (int symbol = 0; symbol < SYMBOLS; symbol++)
            {
                lines[symbol % 2].append('S').append(symbol).append(',').append(sent).append('\n');
            }
            one.send("tradesIn", lines[0].toString());
            two.send("tradesIn", lines[1].toString());
        }
        SharedWorkMember.await(
            "all rows", () -> one.rows("known").size() + two.rows("known").size() == sent * SYMBOLS);
        for (final SharedWorkMember each : List.of(one, two))
        {
            assertThat(each.rows("known")).as("rows of " + each.name()).isNotEmpty()
                .allMatch(row -> row[1] == row[3] && row[2] == 1);
        }
    }

    private SharedWorkMember member(final int number, final int discovery) throws Exception
    {
        final String cluster = """
            <cluster>
              <server-name>server%d</server-name>
              <enabled>true</enabled>
              <discovery-port>%d</discovery-port>
              <communication-port>%d</communication-port>
              <port-range>%d</port-range>
              <failure-detection-millis>60000</failure-detection-millis>
            </cluster>""".formatted(number, discovery, discovery + PORTS, PORTS);
        return new SharedWorkMember(RunningInstance.begun(directory.resolve("member" + number),
            text -> text.replaceFirst("<name>[^<]*_domain</name>", "<name>shop</name>")
                .replaceFirst("(?s)<cluster>.*</cluster>", cluster)));
    }

    private Path bundle(final String version, final String more) throws IOException
    {
        final String assembly = ASSEMBLY.replace("MORE", more)
            .replace("listeners=\"ofKnown\"", more.isEmpty() ? "listeners=\"ofKnown\"" : "listeners=\"ofKnown,more\"");
        return new TestBundle(SharedWorkMember.APPLICATION, assembly).configuration(RULES).type(RowsFile.class)
            .header("Bundle-Version", version)
            .header("Import-Package", "dev.millrace.api.event,dev.millrace.api.lifecycle,dev.millrace.api.stage")
            .write(directory);
    }
}
