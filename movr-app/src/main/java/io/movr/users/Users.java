package io.movr.users;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.jdbc.repository.query.Modifying;
import org.springframework.data.jdbc.repository.query.Query;
import org.springframework.data.repository.Repository;

/** The table {@code users}: the queries of the service, and the calls that the experiments compare. */
public interface Users extends Repository<User, UserId> {

    @Query(
            value = "SELECT city, id, name, address, credit_card FROM users WHERE city = :city AND id = :id",
            rowMapperClass = UserRow.class)
    Optional<User> find(String city, UUID id);

    @Query(
            value = "SELECT city, id, name, address, credit_card FROM users WHERE city = :city AND id = :id FOR UPDATE",
            rowMapperClass = UserRow.class)
    Optional<User> findForUpdate(String city, UUID id);

    @Query("SELECT EXISTS (SELECT 1 FROM users WHERE city = :city AND id = :id)")
    boolean exists(String city, UUID id);

    @Query(value = """
            SELECT city, id, name, address, credit_card FROM users
            WHERE city = :city AND id > :after ORDER BY id LIMIT :limit""", rowMapperClass = UserRow.class)
    List<User> page(String city, UUID after, int limit);

    @Modifying
    @Query("""
            INSERT INTO users (id, city, name, address, credit_card)
            VALUES (:id, :city, :name, :address, :creditCard)""")
    void insert(UUID id, String city, String name, String address, String creditCard);

    @Modifying
    @Query("UPDATE users SET name = :name WHERE city = :city AND id = :id")
    int rename(String city, UUID id, String name);

    /** Experiment name-index: a full scan without the index of stage 3. */
    @Query(
            value = "SELECT city, id, name, address, credit_card FROM users WHERE name = :name",
            rowMapperClass = UserRow.class)
    List<User> named(String name);

    /** Experiment covering-index: answered by the index alone at stage 4. */
    @Query(value = "SELECT name, credit_card FROM users WHERE name = :name", rowMapperClass = NameAndCardRow.class)
    List<NameAndCard> cardsOf(String name);

    /** Experiment returning-id, before: the statement that follows an INSERT which let the database choose the id. */
    @Query("SELECT id FROM users WHERE name = :name")
    List<UUID> idsOf(String name);

    /** Experiments bulk-insert and returning-id, before: the database chooses the id and keeps it. */
    @Modifying
    @Query("""
            INSERT INTO users (id, city, name, address, credit_card)
            VALUES (gen_random_uuid(), :city, :name, :address, :creditCard)""")
    void insert(String city, String name, String address, String creditCard);

    /** Experiment returning-id, after: the INSERT answers the id that the database chose. */
    @Query("""
            INSERT INTO users (id, city, name, address, credit_card)
            VALUES (gen_random_uuid(), :city, :name, :address, :creditCard) RETURNING id""")
    UUID insertReturningId(String city, String name, String address, String creditCard);

    /**
     * Experiment bulk-insert, after: any number of users with one statement.
     *
     * @param rows id, city, name, address and credit card of each
     */
    @Modifying
    @Query("INSERT INTO users (id, city, name, address, credit_card) VALUES :rows")
    int insertAll(List<Object[]> rows);

    /** Experiment unused-index: every index on the name is written with every row. */
    @Modifying
    @Query("UPDATE users SET name = :name WHERE name LIKE :pattern")
    int renameAll(String pattern, String name);
}
