#!/usr/bin/python3
"""sqlalchemy-dlock on PostgreSQL or on MySQL, as its documentation shows it: a lock on a connection of an engine. With
the option `orm`, as in lock_orm.json, on a session that is committed before the lock is released, as it shows, too."""

import importlib.metadata

import holdfast_adapter
import sqlalchemy
from sqlalchemy.orm import sessionmaker
from sqlalchemy_dlock import create_sadlock
from sqlalchemy_dlock.exceptions import SqlAlchemyDLockDatabaseError


def address(at):
    if at["kind"] == "postgres":
        driver, empty = "postgresql+psycopg2", "postgres"
    else:
        driver, empty = "mysql+pymysql", ""
    database = at.get("database", empty)
    return sqlalchemy.URL.create(driver, at.get("user"), None, at["host"], at["port"], database)


class SqlalchemyDlock(holdfast_adapter.Adapter):
    CAN = ("block", "threads", "wait")
    NOT_HELD = (SqlAlchemyDLockDatabaseError,)  # of a release: what the server says that this session does not hold

    def __init__(self, hello):
        super().__init__(hello)
        self.orm = hello["options"].get("orm", False)
        engine = sqlalchemy.create_engine(address(hello["servers"][0]))
        self.open = sessionmaker(bind=engine) if self.orm else engine.connect

    def acquire(self, ask):
        wait_ms = ask.get("wait_ms")
        how = {"block": False} if wait_ms == 0 else {"timeout": wait_ms / 1000 if wait_ms else None}
        connection = self.open()
        try:
            lock = create_sadlock(connection, ask["lock"])
            if lock.acquire(**how):
                self.held[self.key(ask)] = connection, lock
                return "ok"
        except SqlAlchemyDLockDatabaseError as error:  # an error of the server's function, and no refusal
            return {"is": "info", "why": str(error)}
        finally:
            if self.held.get(self.key(ask), (None,))[0] is not connection:
                connection.close()
        return "busy"

    def release(self, ask):
        connection, lock = self.held.pop(self.key(ask))
        try:
            if self.orm:
                connection.commit()  # the work is done
            lock.release()
        finally:
            connection.close()  # back into the pool
        return "ok"

    def owned(self, ask):
        return "yes" if self.held[self.key(ask)][1].locked else "no"


holdfast_adapter.serve(SqlalchemyDlock, importlib.metadata.version("sqlalchemy-dlock"))
