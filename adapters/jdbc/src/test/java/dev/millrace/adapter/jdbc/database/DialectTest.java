package dev.millrace.adapter.jdbc.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Statements for products that no test can start, and the mapping of products to dialects. */
@Timeout(60)
class DialectTest
{
    private static TableMetadata shape(final String product, final String mark)
    {
        return new TableMetadata("S.T", product, mark, new String[] {"A", "K", "B"}, new int[3], new int[] {1});
    }

    @Test
    void shouldKnowProductsAndNames()
    {
        assertThat(Dialect.ofProduct("MySQL")).isEqualTo(Dialect.MARIADB);
        assertThat(Dialect.ofProduct("Microsoft SQL Server")).isEqualTo(Dialect.SQLSERVER);
        assertThat(Dialect.ofProduct("Apache Derby")).isEqualTo(Dialect.OTHER);
        assertThat(Dialect.byName("mssql")).isEqualTo(Dialect.SQLSERVER);
        assertThat(Dialect.byName(" Oracle ")).isEqualTo(Dialect.ORACLE);
        assertThat(Dialect.byName("other")).isNull();
    }

    @Test
    void shouldLockTheKeyRangeOfSqlServer()
    {
        final StatementText text = Dialect.SQLSERVER.upsert(shape("Microsoft SQL Server", "\""));

        assertThat(text.sql()).isEqualTo("merge into S.T with (holdlock) as t using (select 1 as one) as s " +
            "on (\"K\" = ?) when matched then update set \"A\" = ?, \"B\" = ? " +
            "when not matched then insert (\"A\", \"K\", \"B\") values (?, ?, ?);");
        assertThat(text.parameters()).containsExactly(1, 0, 2, 0, 1, 2);
    }

    @Test
    void shouldMergeInOracle()
    {
        assertThat(Dialect.ORACLE.upsert(shape("Oracle", "\"")).sql()).isEqualTo("merge into S.T using dual " +
            "on (\"K\" = ?) when matched then update set \"A\" = ?, \"B\" = ? " +
            "when not matched then insert (\"A\", \"K\", \"B\") values (?, ?, ?)");
    }

    @Test
    void shouldUpdateOnDuplicateKeyInMySql()
    {
        assertThat(Dialect.MARIADB.upsert(shape("MySQL", "`")).sql()).isEqualTo("insert into S.T (`A`, `K`, `B`) " +
            "values (?, ?, ?) on duplicate key update `A` = values(`A`), `B` = values(`B`)");
    }

    @Test
    void shouldFindRowsByKey()
    {
        final StatementText update = StatementText.update(shape("Oracle", "\""));

        assertThat(update.sql()).isEqualTo("update S.T set \"A\" = ?, \"B\" = ? where \"K\" = ?");
        assertThat(update.parameters()).containsExactly(0, 2, 1);
        assertThat(StatementText.delete(shape("Oracle", "")).sql()).isEqualTo("delete from S.T where K = ?");
    }

    @Test
    void shouldNotGuessForOthers()
    {
        assertThat(Dialect.OTHER.upsert(shape("Apache Derby", "\""))).isNull();
    }
}
