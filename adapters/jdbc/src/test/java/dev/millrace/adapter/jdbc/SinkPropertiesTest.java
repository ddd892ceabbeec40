package dev.millrace.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.jdbc.buffer.ColumnName;
import dev.millrace.adapter.jdbc.buffer.OverflowPolicy;
import dev.millrace.adapter.jdbc.buffer.SinkMode;
import dev.millrace.adapter.jdbc.buffer.SinkSettings;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Valid instance properties, and messages for invalid ones. */
@Timeout(60)
class SinkPropertiesTest
{
    private static SinkSettings check(final Consumer<SinkProperties> change)
    {
        final SinkProperties properties = new SinkProperties();
        properties.table = "T";
        properties.spillDirectory = "waiting";
        change.accept(properties);
        return properties.check("app", "out");
    }

    @Test
    void shouldTakeDefaults()
    {
        final SinkSettings settings = check(properties -> { });

        assertThat(settings.stage()).isEqualTo("app/out");
        assertThat(settings.mode()).isEqualTo(SinkMode.INSERT_ROWS);
        assertThat(settings.whenFull()).isEqualTo(OverflowPolicy.SPILL);
        assertThat(settings.spillDirectory()).isEqualTo(Path.of("waiting"));
        assertThat(settings.column("price")).isEqualTo("price");
    }

    @Test
    void shouldReadColumnsAndKeys()
    {
        final SinkSettings settings = check(properties ->
        {
            properties.mode = " Upsert ";
            properties.columns = "symbol, price = LAST_PRICE";
            properties.keys = "Symbol";
        });

        assertThat(settings.columns()).containsExactly(
            new ColumnName("symbol", "symbol"), new ColumnName("price", "LAST_PRICE"));
        assertThat(settings.column("PRICE")).isEqualTo("LAST_PRICE");
        assertThat(settings.keys()).containsExactly("Symbol");
    }

    @Test
    void shouldSayWhatIsWrongAndWhatItMayBe()
    {
        wrong(properties -> properties.table = null, "missing", "name=table");
        wrong(properties -> properties.table = "t; drop table t", "name=table");
        wrong(properties -> properties.mode = "merge", "choose one of [insert, update, upsert, delete]");
        wrong(properties -> properties.mode = "update", "name=keys", "mode update needs them");
        wrong(properties -> properties.whenFull = "wait", "choose one of [spill, block, reject]");
        wrong(properties -> properties.dialect = "db2", "[postgresql, mariadb, h2, oracle, sqlserver]");
        wrong(properties -> properties.columns = "a, A", "list each property once");
        wrong(properties -> properties.columns = "a=", "list each property once");
        wrong(properties ->
        {
            properties.columns = "a";
            properties.keys = "b";
        }, "a key must be one of columns a");
        wrong(properties -> properties.batchRows = 0, "name=batchRows value=0", "from 1 to");
        wrong(properties -> properties.bufferRows = 255, "from 256 to");
        wrong(properties -> properties.maxRetryMillis = 1, "from 100 to");
        wrong(properties -> properties.spillDirectory = null, "name=spillDirectory", "whenFull");
    }

    private static void wrong(final Consumer<SinkProperties> change, final String... parts)
    {
        assertThatThrownBy(() -> check(change)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith("JDB-0101").hasMessageContaining("stage=app/out").message().contains(parts);
    }
}
