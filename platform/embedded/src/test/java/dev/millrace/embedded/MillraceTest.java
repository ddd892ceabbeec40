package dev.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.RelationSink;
import dev.millrace.api.time.ManualClock;
import dev.millrace.network.NetworkState;
import dev.millrace.network.definition.DeploymentException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Networks without server. */
@Timeout(60)
class MillraceTest
{
    private final List<String> rows = new CopyOnWriteArrayList<>();

    private void add(final TupleEvent event)
    {
        final List<Object> values = new ArrayList<>();
        for (int column = 0; column < event.type().properties().size(); column++)
        {
            values.add(event.get(column));
        }
        rows.add(values.toString());
    }

    private MillraceBuilder trades()
    {
        return Millrace.builder("prices").eventType("Trade", "symbol char(8), price double")
            .stream("trades", "Trade");
    }

    @Test
    void shouldAggregateTuples() throws Exception
    {
        try (EmbeddedNetwork network = trades()
            .query("means", "istream(select symbol, avg(price) as mean from trades[rows 2] group by symbol)")
            .onEvent("means", this::add).start())
        {
            network.send("trades", "ORCL", 10.0);
            network.send("trades", "ORCL", 20.0);
            network.send("trades", "ORCL", 40.0);

            assertThat(rows).containsExactly("[ORCL, 10.0]", "[ORCL, 15.0]", "[ORCL, 30.0]");
            assertThat(network.network().state()).isEqualTo(NetworkState.RUNNING);
        }
    }

    @Test
    void shouldMatchAPatternAcrossAView() throws Exception
    {
        try (EmbeddedNetwork network = trades()
            .view("cheap", "select symbol, price from trades where price < 100")
            .query("falls", """
                select m.high, m.low from cheap match_recognize (
                  measures A.price as high, B.price as low
                  pattern (A B) define B as B.price < A.price) as m""")
            .onEvent("falls", this::add).start())
        {
            network.send("trades", "ORCL", 50.0);
            network.send("trades", "ORCL", 500.0);
            network.send("trades", "ORCL", 45.0);

            assertThat(rows).containsExactly("[50.0, 45.0]");
        }
    }

    @Test
    void shouldExchangeBeans() throws Exception
    {
        final List<Quote> quotes = new ArrayList<>();
        try (EmbeddedNetwork network = Millrace.builder("beans").eventType("Quote", Quote.class)
            .stream("quotes", "Quote")
            .query("doubled", "select symbol, price * 2 as price from quotes")
            .onEvent("doubled", Quote.class, quotes::add).start())
        {
            final Quote quote = new Quote();
            quote.setSymbol("IBM");
            quote.setPrice(21);
            network.sendEvent("quotes", quote);

            assertThat(quotes).hasSize(1);
            assertThat(quotes.get(0).getSymbol()).isEqualTo("IBM");
            assertThat(quotes.get(0).getPrice()).isEqualTo(42);
        }
    }

    @Test
    void shouldAdvanceWindowsByAManualClock() throws Exception
    {
        final ManualClock clock = new ManualClock(1_000_000_000_000_000_000L);
        try (EmbeddedNetwork network = trades().clock(clock)
            .query("count", "select count(*) as n from trades[range 10 seconds]")
            .sink("count", new Changes(rows)).start())
        {
            network.send("trades", "ORCL", 10.0);
            clock.advance(Duration.ofSeconds(5).toNanos());
            network.send("trades", "ORCL", 11.0);
            rows.clear();

            network.advance(Duration.ofMillis(5_500));
            assertThat(rows).containsExactly("- 2", "+ 1");
            rows.clear();
            network.advance(Duration.ofSeconds(5));
            assertThat(rows).containsExactly("- 1", "+ 0");
        }
    }

    @Test
    void shouldUseTheTimeOfRows() throws Exception
    {
        try (EmbeddedNetwork network = Millrace.builder("times").eventType("Reading", "at bigint, value int")
            .stream("readings", "Reading", "at")
            .query("sums", "istream(select sum(value) as total from readings[range 10 nanoseconds])")
            .onEvent("sums", this::add).start())
        {
            network.send("readings", 100L, 1);
            network.send("readings", 105L, 2);
            network.send("readings", 112L, 4);
            // Another row of that time could still come.
            assertThat(rows).containsExactly("[null]", "[1]", "[3]", "[2]");

            network.stream("readings").sendHeartbeat(113);
            assertThat(rows).endsWith("[6]").hasSize(5);
        }
    }

    @Test
    void shouldJoinARelation() throws Exception
    {
        try (EmbeddedNetwork network = trades().eventType("Limit", "symbol char(8), most double")
            .relation("limits", "Limit", "symbol")
            .query("above", "istream(select trades.symbol, price from trades[now], limits " +
                "where trades.symbol = limits.symbol and price > most)")
            .onEvent("above", this::add).start())
        {
            network.send("limits", "ORCL", 30.0);
            network.send("trades", "ORCL", 31.0);
            network.relation("limits").sendUpdateEvent(network.event("limits", "ORCL", 40.0));
            network.send("trades", "ORCL", 35.0);
            network.relation("limits").sendDeleteEvent(network.event("limits", "ORCL", 40.0));
            network.send("trades", "ORCL", 41.0);
            network.send("limits", "ORCL", 50.0);
            network.send("trades", "ORCL", 51.0);

            assertThat(rows).containsExactly("[ORCL, 31.0]", "[ORCL, 51.0]");
        }
    }

    @Test
    void shouldJoinATable() throws Exception
    {
        final DataSource database = database();
        try (EmbeddedNetwork network = trades().eventType("Company", "symbol char(8), company char(40)")
            .table("companies", "Company", database, "companies")
            .query("named", "select company, price from trades[now], companies " +
                "where trades.symbol = companies.symbol")
            .onEvent("named", this::add).start())
        {
            network.send("trades", "ORCL", 31.0);

            assertThat(rows).containsExactly("[Oracle, 31.0]");
        }
    }

    private static DataSource database() throws Exception
    {
        final JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:embedded;DB_CLOSE_DELAY=-1");
        try (var connection = database.getConnection(); var statement = connection.createStatement())
        {
            statement.execute("create table companies(symbol varchar(8) primary key, company varchar(40))");
            statement.execute("insert into companies values ('ORCL', 'Oracle')");
        }
        return database;
    }

    @Test
    void shouldCallFunctionsOfTheApplication() throws Exception
    {
        try (EmbeddedNetwork network = trades().function("rounded", Math.class, "rint")
            .query("whole", "select rounded(price) as price from trades").onEvent("whole", this::add).start())
        {
            network.send("trades", "ORCL", 31.4);

            assertThat(rows).containsExactly("[31.0]");
        }
    }

    @Test
    void shouldProcessBatchesOnSeveralThreads() throws Exception
    {
        final AtomicLong count = new AtomicLong();
        final AtomicLong total = new AtomicLong();
        final int batches = 1_000;
        try (EmbeddedNetwork network = Millrace.builder("batches").eventType("Reading", "id int, value bigint")
            .batchStream("readings", "Reading", null).workers(2)
            .partitionedQuery("all", "select id, value from readings where value >= 0", "id")
            .sink("all", (EventBatchSink)batch ->
            {
                for (int row = 0; row < batch.size(); row++)
                {
                    count.incrementAndGet();
                    total.addAndGet(batch.longs(1)[row]);
                }
            }).start())
        {
            final EventBatchSender sender = network.batchSender("readings");
            final EventBatch batch = new EventBatch(sender.schema());
            for (int i = 0; i < batches; i++)
            {
                batch.clear();
                for (int row = 0; row < EventBatch.CAPACITY; row++)
                {
                    batch.ints(0)[row] = row;
                    batch.longs(1)[row] = i;
                }
                batch.size(EventBatch.CAPACITY);
                sender.send(batch);
            }
        }
        assertThat(count.get()).isEqualTo((long)batches * EventBatch.CAPACITY);
        assertThat(total.get()).isEqualTo((long)batches * (batches - 1) / 2 * EventBatch.CAPACITY);
    }

    @Test
    void shouldCountEventsThatAHandlerRejects() throws Exception
    {
        try (EmbeddedNetwork network = trades().query("all", "select symbol from trades")
            .onEvent("all", event ->
            {
                throw new java.io.IOException("disk full");
            }).start())
        {
            network.send("trades", "ORCL", 1.0);

            assertThat(network.statistics().toString()).contains("rowsRejected=1");
        }
    }

    @Test
    void shouldReportAllProblemsOfRulesWithTheirPositions()
    {
        assertThatThrownBy(() -> trades().query("wrong", "select prise from trades")
            .query("other", "select symbol frm trades").start())
            .isInstanceOf(DeploymentException.class).hasMessageContainingAll("wrong:1:8", "prise", "other:1:");
    }

    @Test
    void shouldRefuseNamesThatAreUnknownOrUsedTwice() throws Exception
    {
        assertThatThrownBy(() -> trades().stream("trades", "Trade")).hasMessageContaining("id=trades");
        assertThatThrownBy(() -> trades().stream("quotes", "Quote")).hasMessageContaining("type=Quote");
        assertThatThrownBy(() -> trades().eventType("Trade", "a int")).hasMessageContaining("type=Trade");
        assertThatThrownBy(() -> trades().eventType("Quote", "price dubble"))
            .hasMessageContainingAll("Quote", "double");
        assertThatThrownBy(() -> trades().query("a", "select * from trades").sink("b", new Changes(rows)).start())
            .hasMessageContainingAll("id=b", "[a]");
        try (EmbeddedNetwork network = trades().query("a", "select * from trades").onEvent("a", this::add).start())
        {
            assertThatThrownBy(() -> network.send("quotes", 1)).hasMessageContainingAll("quotes", "[trades]");
            assertThatThrownBy(() -> network.relation("trades")).hasMessageContaining("stream");
            assertThatThrownBy(() -> network.batchSender("trades")).hasMessageContaining("batchStream");
            assertThatThrownBy(() -> network.advance(Duration.ofSeconds(1)))
                .isInstanceOf(IllegalStateException.class);
        }
    }

    /** Collects the changes of a relation. */
    private record Changes(List<String> rows) implements RelationSink
    {
        @Override
        public void onInsertEvent(final Object event)
        {
            rows.add("+ " + ((TupleEvent)event).get(0));
        }

        @Override
        public void onDeleteEvent(final Object event)
        {
            rows.add("- " + ((TupleEvent)event).get(0));
        }

        @Override
        public void onUpdateEvent(final Object event)
        {
            rows.add("= " + ((TupleEvent)event).get(0));
        }
    }

    /** An event class. */
    public static final class Quote
    {
        private String symbol;
        private double price;

        public String getSymbol()
        {
            return symbol;
        }

        public void setSymbol(final String value)
        {
            symbol = value;
        }

        public double getPrice()
        {
            return price;
        }

        public void setPrice(final double value)
        {
            price = value;
        }
    }
}
