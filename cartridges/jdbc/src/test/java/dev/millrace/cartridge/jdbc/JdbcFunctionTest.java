package dev.millrace.cartridge.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.cartridge.CartridgeFunction;
import dev.millrace.api.cartridge.StatementContext;
import dev.millrace.api.event.CqlType;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class JdbcFunctionTest
{
    private final JdbcDataSource source = new JdbcDataSource();
    private final AtomicLong nowNs = new AtomicLong(1);
    private Connection database;

    /** A row with a field and setters. */
    public static final class Order
    {
        /** Set by its name. */
        public String customer;
        private int id;
        private BigDecimal amount;

        /** Called for each row. */
        public Order()
        {
            id = -1;
        }

        public void setId(final int of)
        {
            id = of;
        }

        public void setAmount(final BigDecimal of)
        {
            amount = of;
        }

        @Override
        public String toString()
        {
            return id + " " + customer + ' ' + amount;
        }
    }

    /** A class that rows cannot have. */
    public static final class Closed
    {
        private Closed()
        {
        }
    }

    @BeforeEach
    void createTable() throws Exception
    {
        source.setURL("jdbc:h2:mem:orders");
        database = source.getConnection();
        execute("create table ORDERS (ID int, CUSTOMER varchar(20), AMOUNT decimal(9, 2), AT timestamp(9))");
        execute("insert into ORDERS values (1, 'ann', 1.50, timestamp '1970-01-01 00:00:02.000000003'), " +
            "(2, 'bob', null, null), (3, 'ann', 7.00, null)");
    }

    @AfterEach
    void dropTable() throws Exception
    {
        execute("drop all objects");
        database.close();
    }

    private void execute(final String text) throws Exception
    {
        try (Statement statement = database.createStatement())
        {
            statement.execute(text);
        }
    }

    private CartridgeFunction function(
        final Class<?> component, final String text, final int cached, final StatementContext.Parameter... parameters)
    {
        return new JdbcFunction("orders", source, new StatementContext.Definition("find", List.of(parameters),
            component, text, cached, 1_000), nowNs::get).function();
    }

    private static StatementContext.Parameter parameter(final String name, final CqlType type)
    {
        return new StatementContext.Parameter(name, type);
    }

    private static List<?> call(final CartridgeFunction function, final Object... arguments) throws Throwable
    {
        return (List<?>)function.handle().invokeWithArguments(arguments);
    }

    @Test
    void shouldReturnBeans() throws Throwable
    {
        final CartridgeFunction find = function(Order.class,
            "select ID, CUSTOMER, AMOUNT from ORDERS where CUSTOMER = :who and ID >= :least order by ID", 0,
            parameter("least", CqlType.INT), parameter("who", CqlType.CHAR));
        assertThat(find.handle().type().toString()).isEqualTo("(int,String)List");
        assertThat(find.elementType()).isEqualTo(Order.class);
        assertThat(call(find, 1, "ann")).map(Object::toString).containsExactly("1 ann 1.50", "3 ann 7.00");
        assertThat(call(find, 2, "ann")).map(Object::toString).containsExactly("3 ann 7.00");
        assertThat(call(find, 1, "bob").toString()).isEqualTo("[2 bob null]");
        assertThat(call(find, 3, "bob")).isEmpty();
    }

    @Test
    void shouldReturnValuesOfTheOnlyColumn() throws Throwable
    {
        final CartridgeFunction amounts = function(BigDecimal.class, "select AMOUNT from ORDERS order by ID", 0);
        assertThat(call(amounts).toString()).isEqualTo("[1.50, null, 7.00]");
        final CartridgeFunction times = function(long.class, "select AT from ORDERS where ID = 1", 0);
        assertThat(call(times)).isEqualTo(List.of(2_000_000_003L));
        final CartridgeFunction ids = function(int.class, "select ID from ORDERS where AT = :at", 0,
            parameter("at", CqlType.TIMESTAMP));
        assertThat(call(ids, 2_000_000_003L)).isEqualTo(List.of(1));
    }

    @Test
    void shouldRememberResultsForATime() throws Throwable
    {
        final CartridgeFunction names = function(String.class, "select CUSTOMER from ORDERS where ID = :id", 1,
            parameter("id", CqlType.INT));
        assertThat(call(names, 1)).isEqualTo(List.of("ann"));
        execute("update ORDERS set CUSTOMER = 'eve'");
        assertThat(call(names, 1)).isEqualTo(List.of("ann"));
        nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(1_000));
        assertThat(call(names, 1)).isEqualTo(List.of("eve"));
        execute("update ORDERS set CUSTOMER = 'tom'");
        assertThat(call(names, 2)).isEqualTo(List.of("tom"));
        assertThat(call(names, 1)).as("only one result is remembered").isEqualTo(List.of("tom"));
    }

    @Test
    void shouldFailWithTheReasonOfTheDatabase()
    {
        final CartridgeFunction wrong = function(String.class, "select NOTHING from ORDERS", 0);
        assertThatThrownBy(() -> call(wrong)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("find@orders failed").hasMessageContaining("NOTHING");
        final CartridgeFunction two = function(String.class, "select ID, CUSTOMER from ORDERS", 0);
        assertThatThrownBy(() -> call(two)).hasMessageContaining("columns=2");
        final CartridgeFunction column = function(Order.class, "select AT from ORDERS", 0);
        assertThatThrownBy(() -> call(column)).hasMessageContaining("column=AT");
    }

    @Test
    void shouldNotTryAnUnavailableDatabaseForEachRow() throws Throwable
    {
        final CartridgeFunction names = function(String.class, "select CUSTOMER from ORDERS where ID = 1", 0);
        source.setURL("jdbc:h2:tcp://127.0.0.1:1/none");
        assertThatThrownBy(() -> call(names)).hasMessageContaining("Connection");
        source.setURL("jdbc:h2:mem:orders");
        assertThatThrownBy(() -> call(names)).hasMessageContaining("last attempt");
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1) + 1);
        assertThat(call(names)).isEqualTo(List.of("ann"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
        "select 1 where 1 = :id; select 1 where 1 = ?",
        "select ':id', \":id\" where 1 = :ID -- :id; select ':id', \":id\" where 1 = ? -- :id",
        "select /* :id ? */ :id::int; select /* :id ? */ ?::int",
        "select :id + :id; select ? + ?"})
    void shouldReplaceNamesOfValues(final String written, final String text)
    {
        assertThat(SqlText.of(written, List.of("id")).text()).isEqualTo(text);
    }

    @Test
    void shouldRefuseWrongDefinitions()
    {
        assertThatIllegalArgumentException().isThrownBy(() -> function(String.class, "select :x", 0))
            .withMessageContaining("function=find").withMessageContaining(":x");
        assertThatIllegalArgumentException().isThrownBy(() -> function(String.class, "select ?", 0))
            .withMessageContaining("question mark");
        assertThatIllegalArgumentException().isThrownBy(() -> function(String.class, "select 1", 0,
            parameter("id", CqlType.INT))).withMessageContaining("param=id");
        assertThatIllegalArgumentException().isThrownBy(() -> function(Closed.class, "select 1", 0))
            .withMessageContaining("constructor");
    }
}
