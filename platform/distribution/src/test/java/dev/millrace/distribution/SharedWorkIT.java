package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.command.instance.FreePorts;
import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three servers with a shared cache and a partitioned channel; one of them is killed and rejoins. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedWorkIT
{
    private static final int CHANGES = 60;
    private static final int WARM_UP = 20;
    private static final int ROUNDS = 5;
    private static final long MEDIAN_US = 100_000;
    private static final long LONGEST_US = 2_000_000;
    static final int SYMBOLS = 300;
    private static final int STORM_CHANGES = 30_000;
    private static final int STORM_PER_SECOND = 10_000;
    /**
     * The target is 3 s; {@code bench faults} checks it on an idle machine. This test runs on any machine that runs the
     * build: three servers, together with compilers and other tests on two processors, so that all of them may pause
     * for many seconds. The limit detects survivors that do not continue, or that continue only when an unresponsive
     * member is removed after 30 s, although this member's process has ended; the gap is printed.
     */
    static final long LONGEST_GAP_MS = 25_000;
    private static final int SILENT_ON_DISCOVERY = 264;
    private static final int SILENT_ON_LINKS = 80;
    /** Longer than the handshake of a connection may take. */
    private static final long FLOOD_MS = 15_000;
    private static final String ASSEMBLY = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring">
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Tick"><wlevs:properties>
              <wlevs:property name="symbol" type="char"/><wlevs:property name="seq" type="bigint"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Limit"><wlevs:properties>
              <wlevs:property name="symbol" type="char"/><wlevs:property name="top" type="bigint"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Seen"><wlevs:properties>
              <wlevs:property name="symbol" type="char"/><wlevs:property name="seq" type="bigint"/>
              <wlevs:property name="top" type="bigint"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Known"><wlevs:properties>
              <wlevs:property name="symbol" type="char"/><wlevs:property name="n" type="bigint"/>
              <wlevs:property name="first" type="bigint"/><wlevs:property name="last" type="bigint"/>
            </wlevs:properties></wlevs:event-type>
          </wlevs:event-type-repository>

          <wlevs:caching-system id="shared" provider="cluster"/>
          <wlevs:cache id="limits" value-type="Limit" key-properties="symbol" caching-system="shared"
            listeners="changes"/>
          <wlevs:adapter id="limitsIn" provider="loadgen">
            <wlevs:instance-property name="port" value="0"/><wlevs:listener ref="newLimits"/>
          </wlevs:adapter>
          <wlevs:channel id="newLimits" event-type="Limit" listeners="limits"/>
          <wlevs:channel id="changes" event-type="Limit" listeners="ofChanges"/>

          <wlevs:adapter id="ticksIn" provider="loadgen">
            <wlevs:instance-property name="port" value="0"/><wlevs:listener ref="ticks"/>
          </wlevs:adapter>
          <wlevs:channel id="ticks" event-type="Tick" listeners="joins"/>
          <wlevs:processor id="joins" listeners="seen"><wlevs:cache-source ref="limits"/></wlevs:processor>
          <wlevs:channel id="seen" event-type="Seen" listeners="ofSeen"/>

          <wlevs:adapter id="tradesIn" provider="loadgen">
            <wlevs:instance-property name="port" value="0"/><wlevs:listener ref="trades"/>
          </wlevs:adapter>
          <wlevs:channel id="trades" event-type="Tick" listeners="counts" partition-by="symbol"/>
          <wlevs:processor id="counts" listeners="known"/>
          <wlevs:channel id="known" event-type="Known" listeners="ofKnown"/>

          <bean id="ofChanges" class="dev.millrace.distribution.RowsFile">
            <property name="path" value="${wlevs.domain.home}/changes.txt"/></bean>
          <bean id="ofSeen" class="dev.millrace.distribution.RowsFile">
            <property name="path" value="${wlevs.domain.home}/seen.txt"/></bean>
          <bean id="ofKnown" class="dev.millrace.distribution.RowsFile">
            <property name="path" value="${wlevs.domain.home}/known.txt"/></bean>
        </beans>
        """;
    private static final String RULES = """
        <c:config xmlns:c="http://www.bea.com/ns/wlevs/config/application">
          <processor><name>joins</name><rules>
            <query id="q">RStream(select t.symbol as symbol, t.seq as seq, c.top as top
              from ticks[now] as t, limits as c where t.symbol = c.symbol)</query>
          </rules></processor>
          <processor><name>counts</name><rules>
            <query id="g">IStream(select symbol, count(*) as n, min(seq) as first, max(seq) as last
              from trades group by symbol)</query>
          </rules></processor>
        </c:config>
        """;

    private final List<SharedWorkMember> members = new ArrayList<>();
    private long ticks;
    private int discovery;

    @BeforeAll
    void startAndDeploy(@TempDir final Path directory) throws Exception
    {
        discovery = FreePorts.range(2 * MemberPorts.RANGE);
        for (int i = 1; i <= 3; i++)
        {
            final String cluster = """
                <cluster>
                  <server-name>server%d</server-name>
                  <enabled>true</enabled>
                  <discovery-port>%d</discovery-port>
                  <communication-port>%d</communication-port>
                  <port-range>%d</port-range>
                  <failure-detection-millis>30000</failure-detection-millis>
                </cluster>""".formatted(i, discovery, discovery + MemberPorts.RANGE, MemberPorts.RANGE);
            members.add(new SharedWorkMember(RunningInstance.begun(directory.resolve("member" + i),
                text -> text.replaceFirst("<name>[^<]*_domain</name>", "<name>shop</name>")
                    .replaceFirst("(?s)<cluster>.*</cluster>", cluster))));
        }
        for (final SharedWorkMember each : members)
        {
            each.instance.awaitRunning();
        }
        awaitAllMembers();
        final Path bundle = bundle(directory);
        final Result installed = members.get(0).instance.app("install", "--group", "all", bundle);
        assertThat(installed.exitCode()).as(installed.output()).isZero();
    }

    private void awaitAllMembers() throws InterruptedException
    {
        Product.await("all see each other", 60, () -> members.stream()
            .allMatch(each -> each.members().equals("[server1, server2, server3]")));
    }

    private static Path bundle(final Path directory) throws IOException
    {
        return new TestBundle(SharedWorkMember.APPLICATION, ASSEMBLY).configuration(RULES).type(RowsFile.class)
            .header("Import-Package", "dev.millrace.api.event,dev.millrace.api.lifecycle,dev.millrace.api.stage")
            .write(directory);
    }

    @AfterAll
    void end() throws IOException
    {
        for (final SharedWorkMember each : members)
        {
            each.close();
        }
    }

    private SharedWorkMember coordinator()
    {
        return members.stream().filter(SharedWorkMember::isCoordinator).findFirst().orElseThrow();
    }

    private List<SharedWorkMember> others(final SharedWorkMember than)
    {
        return members.stream().filter(each -> each != than).toList();
    }

    /** Sends ticks of a symbol until its join shows a limit. */
    private void awaitJoin(final SharedWorkMember member, final int symbol, final long top) throws Exception
    {
        SharedWorkMember.await("limit=" + top + " of symbol=" + symbol, () ->
        {
            ticks++;
            member.send("ticksIn", "S" + symbol + ',' + ticks + '\n');
            final List<long[]> seen = member.rows("seen");
            final long[] last = seen.isEmpty() ? null : seen.get(seen.size() - 1);
            return last != null && last[0] == symbol && last[2] == top;
        });
    }

    private void awaitBack(final SharedWorkMember member) throws Exception
    {
        final long startNs = System.nanoTime();
        member.instance.start();
        awaitAllMembers();
        final BooleanSupplier runs = member::runs;
        Product.await("the application of the one that is back", 60, runs);
        System.out.printf("%s is back, with its application, after %d ms%n", member.name(), msSince(startNs));
    }

    private static long msSince(final long startNs)
    {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    }

    @Test
    void shouldSeeAChangeOfAnyMemberInTheJoinOfAll() throws Exception
    {
        int changes = 0;
        long medianUs = MEDIAN_US;
        long longestUs = LONGEST_US;
        while ((medianUs >= MEDIAN_US || longestUs >= LONGEST_US) && changes < ROUNDS * CHANGES)
        {
            final long[] warm = joinsUs(changes);
            medianUs = warm[warm.length / 2];
            longestUs = warm[warm.length - 1];
            changes += CHANGES;
        }
        assertThat(medianUs).as("the aim is 100 ms for each, us").isLessThan(MEDIAN_US);
        assertThat(longestUs).as("a busy machine may pause, but not in each round, us").isLessThan(LONGEST_US);
        final int all = changes;
        for (final SharedWorkMember each : members)
        {
            SharedWorkMember.await("all changes as events", () -> ofSymbol(each.rows("changes"), 0).size() == all);
            assertThat(ofSymbol(each.rows("changes"), 0)).extracting(row -> row[1])
                .as("changes of " + each.name()).isSorted().doesNotHaveDuplicates();
        }
    }

    /** Makes changes, and returns the sorted times until the joins of all members saw them, without the first ones. */
    private long[] joinsUs(final int first) throws Exception
    {
        final long[] us = new long[CHANGES];
        for (int i = 0; i < CHANGES; i++)
        {
            final long startNs = System.nanoTime();
            final int change = first + i + 1;
            members.get(i % 3).send("limitsIn", "S0," + change + '\n');
            for (final SharedWorkMember each : members)
            {
                awaitJoin(each, 0, change);
            }
            us[i] = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startNs);
        }
        final long[] warm = Arrays.copyOfRange(us, WARM_UP, CHANGES);
        Arrays.sort(warm);
        System.out.printf("a change of a cache is seen in the join of three servers after %d us (median), %d us at " +
            "most; the first %d changes: %d us at most%n", warm[warm.length / 2], warm[warm.length - 1], WARM_UP,
            Arrays.stream(us, 0, WARM_UP).max().orElseThrow());
        return warm;
    }

    private static List<long[]> ofSymbol(final List<long[]> rows, final long symbol)
    {
        return rows.stream().filter(row -> row[0] == symbol).toList();
    }

    @Test
    void shouldTakeEachChangeOfAStormOnceWhenTheMemberThatLeadsIsKilled() throws Exception
    {
        final SharedWorkMember leader = coordinator();
        final SharedWorkMember writer = others(leader).get(0);
        final Map<SharedWorkMember, Integer> before = new HashMap<>();
        for (final SharedWorkMember each : members)
        {
            before.put(each, each.rows("changes").size());
        }
        final long startNs = System.nanoTime();
        long killedNs = 0;
        long grownNs = 0;
        long gapNs = 0;
        int sent = 0;
        int come = 0;
        while (sent < STORM_CHANGES || come < STORM_CHANGES)
        {
            final long due = Math.min(STORM_CHANGES,
                (System.nanoTime() - startNs) * STORM_PER_SECOND / TimeUnit.SECONDS.toNanos(1));
            final StringBuilder lines = new StringBuilder();
            for (; sent < due; sent++)
            {
                lines.append('S').append(1 + sent % SYMBOLS).append(',').append(sent).append('\n');
            }
            writer.send("limitsIn", lines.toString());
            if (killedNs == 0 && sent > STORM_CHANGES / 3)
            {
                leader.kill();
                killedNs = System.nanoTime();
                grownNs = killedNs;
            }
            final int now = writer.rows("changes").size() - before.get(writer);
            if (now > come && killedNs != 0)
            {
                gapNs = Math.max(gapNs, System.nanoTime() - grownNs);
                grownNs = System.nanoTime();
            }
            come = now;
            assertThat(msSince(startNs)).as("changes seen=" + come + " of " + STORM_CHANGES).isLessThan(60_000);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
        System.out.printf("%,d changes in %d ms, of %,d a second; after the kill of %s no change for %d ms at most%n",
            STORM_CHANGES, msSince(startNs), STORM_PER_SECOND, "the leader", gapNs / 1_000_000);
        assertThat(gapNs / 1_000_000).as("a gap of survivors, ms").isLessThan(LONGEST_GAP_MS);
        for (final SharedWorkMember each : others(leader))
        {
            SharedWorkMember.await("all changes", () ->
                each.rows("changes").size() >= before.get(each) + STORM_CHANGES);
            checkStorm(each.rows("changes").subList(before.get(each), each.rows("changes").size()));
        }
        awaitBack(leader);
        for (final SharedWorkMember each : members)
        {
            for (int symbol = 1; symbol <= SYMBOLS; symbol += 50)
            {
                awaitJoin(each, symbol, STORM_CHANGES - SYMBOLS + symbol - 1);
            }
        }
    }

    /** Checks that each change occurs once, and that changes of a symbol are in order. */
    private static void checkStorm(final List<long[]> changes)
    {
        assertThat(changes).hasSize(STORM_CHANGES);
        final Map<Long, Long> last = new HashMap<>();
        for (final long[] change : changes)
        {
            final Long before = last.put(change[0], change[1]);
            assertThat(change[1]).as("symbol=" + change[0] + " after " + before)
                .isEqualTo(before == null ? change[0] - 1 : before + SYMBOLS);
        }
    }

    @Test
    void shouldGoOnInOrderWithEmptyPartitionsWhenAMemberOfAChannelIsKilledAndComesBack() throws Exception
    {
        new SharedTrades(members, coordinator(), 0).run(new SharedTrades.Fault()
        {
            @Override
            public void begin(final SharedWorkMember member) throws Exception
            {
                member.kill();
            }

            @Override
            public void end(final SharedWorkMember member) throws Exception
            {
                awaitBack(member);
            }

            @Override
            public long longestGapMs()
            {
                return LONGEST_GAP_MS;
            }

            @Override
            public int batchesInHand()
            {
                return 0;
            }
        });
    }

    @Test
    void shouldGoOnWhileManyConnectionsSayNothing() throws Exception
    {
        final SharedWorkMember victim = others(coordinator()).get(0);
        assertThat(victim.instance.domain.directory().resolve("config/jvm.options")).content()
            .containsPattern("(?m)^-Xmx512m$");
        final Map<SharedWorkMember, Integer> earlier = new HashMap<>();
        for (final SharedWorkMember each : members)
        {
            earlier.put(each, each.rows("known").size());
        }
        final List<Socket> silent = new ArrayList<>();
        long sent = 0;
        long gapNs = 0;
        try
        {
            final MemberPorts ports = new MemberPorts(victim, discovery);
            connect(silent, SILENT_ON_DISCOVERY, ports.discovery());
            connect(silent, SILENT_ON_LINKS, ports.links());
            final long startNs = System.nanoTime();
            while (msSince(startNs) < FLOOD_MS)
            {
                final long sendNs = System.nanoTime();
                sent++;
                // Separate symbols, so many that rows are sent to each member from each member.
                for (int i = 0; i < members.size(); i++)
                {
                    members.get(i).send("tradesIn",
                        "S" + ((2 + i) * SYMBOLS + sent % SYMBOLS) + ',' + sent + '\n');
                }
                final long all = sent * members.size();
                SharedWorkMember.await("all rows of the flood, sent=" + all, () -> known(earlier) == all);
                gapNs = Math.max(gapNs, System.nanoTime() - sendNs);
            }
            System.out.printf("%d silent connections: rows=%d, one was on its way for %d ms at most%n", silent.size(),
                sent * members.size(), gapNs / 1_000_000);
        }
        finally
        {
            for (final Socket each : silent)
            {
                each.close();
            }
        }
        assertThat(gapNs / 1_000_000).as("ms of a row").isLessThan(LONGEST_GAP_MS);
        awaitAllMembers();
        assertThat(victim.log()).doesNotContain("OutOfMemoryError").contains("CLU-0011", "CLU-0408");
    }

    private static int known(final Map<SharedWorkMember, Integer> earlier) throws IOException
    {
        int rows = 0;
        for (final Map.Entry<SharedWorkMember, Integer> each : earlier.entrySet())
        {
            rows += each.getKey().rows("known").size() - each.getValue();
        }
        return rows;
    }

    private static void connect(final List<Socket> silent, final int count, final int port) throws IOException
    {
        for (int i = 0; i < count; i++)
        {
            silent.add(new Socket(InetAddress.getLoopbackAddress(), port));
        }
    }

    /** All features are enabled, except the secure port and multicast, which loopback does not support. */
    @Test
    void shouldListenOnThePortsThatSecurityMdListsAndOnNoOther() throws Exception
    {
        final List<String> listed = new ArrayList<>();
        final String page = Files.readString(Product.HOME.directory().resolve("SECURITY.md"));
        final int from = page.indexOf("\n## Ports\n");
        final String table = page.substring(from, page.indexOf("\n## ", from + 1));
        table.lines().filter(line -> line.startsWith("| ") && !line.startsWith("| Port "))
            .forEach(line -> listed.add(line.split("\\|")[1].strip()));
        for (final SharedWorkMember each : members)
        {
            final List<String> open = new ArrayList<>(new MemberPorts(each, discovery).byPurpose().keySet());
            open.add("multicast, UDP");
            open.add("management with TLS, TCP");
            assertThat(listed).containsExactlyInAnyOrderElementsOf(open);
            ListeningSockets.of(each.instance.process.process().pid()).forEach((port, address) ->
                assertThat(ListeningSockets.isLoopback(address)).as(port + " on " + address).isTrue());
        }
    }

    @Test
    void shouldPutNothingOutAndBeginEmptyWhenAMemberOfAChannelWasPausedAndGoesOn() throws Exception
    {
        new SharedTrades(members, coordinator(), SYMBOLS).run(new SharedTrades.Fault()
        {
            @Override
            public void begin(final SharedWorkMember member) throws Exception
            {
                member.pause();
            }

            @Override
            public void end(final SharedWorkMember member) throws Exception
            {
                final int logged = member.log().length();
                member.resume();
                SharedWorkMember.await("it knows", () ->
                    member.log().substring(logged).contains("CLU-0004 this member is fenced"));
                awaitAllMembers();
                final BooleanSupplier runs = member::runs;
                Product.await("its application", 60, runs);
            }

            @Override
            public long longestGapMs()
            {
                // An unresponsive member is removed after 30 s.
                return 2 * LONGEST_GAP_MS;
            }

            @Override
            public int batchesInHand()
            {
                // The threads of the links to both other members.
                return 2;
            }
        });
    }
}
