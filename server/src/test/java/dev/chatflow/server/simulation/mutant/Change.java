package dev.chatflow.server.simulation.mutant;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.Set;

/** The new body of a changed method. */
public sealed interface Change {

  /** Returns this number; for a boolean 0 or 1. */
  record Constant(int value) implements Change {}

  /** Returns this constant of the enum that the method returns. */
  record EnumConstant(String name) implements Change {}

  /** Returns its nth argument, from 0. */
  record Argument(int index) implements Change {}

  /** Returns the result of another method of the class with the same arguments. */
  record AnswerOf(String method) implements Change {}

  /** Returns a field of the object. */
  record Field(String name) implements Change {}

  /** Does nothing. */
  record Nothing() implements Change {}

  /** The changed method. */
  record Method(ClassDesc owner, MethodTypeDesc type, Set<AccessFlag> flags) {
    boolean isStatic() {
      return flags.contains(AccessFlag.STATIC);
    }

    int slot(int argument) {
      int slot = isStatic() ? 0 : 1;
      for (int i = 0; i < argument; i++) {
        slot += TypeKind.from(type.parameterType(i)).slotSize();
      }
      return slot;
    }
  }

  /** Writes its new body. */
  default void write(CodeBuilder code, Method method) {
    TypeKind answer = TypeKind.from(method.type().returnType());
    switch (this) {
      case Constant(int value) -> {
        if (answer == TypeKind.LONG) {
          code.loadConstant((long) value);
        } else {
          code.loadConstant(value);
        }
      }
      case EnumConstant(String name) ->
          code.getstatic(method.type().returnType(), name, method.type().returnType());
      case Argument(int index) -> code.loadLocal(answer, method.slot(index));
      case AnswerOf(String other) -> call(code, method, other);
      case Field(String name) ->
          code.aload(0).getfield(method.owner(), name, method.type().returnType());
      case Nothing() -> {}
    }
    code.return_(answer);
  }

  private static void call(CodeBuilder code, Method method, String other) {
    if (!method.isStatic()) {
      code.aload(0);
    }
    for (int i = 0; i < method.type().parameterCount(); i++) {
      code.loadLocal(TypeKind.from(method.type().parameterType(i)), method.slot(i));
    }
    if (method.isStatic()) {
      code.invokestatic(method.owner(), other, method.type());
    } else {
      code.invokevirtual(method.owner(), other, method.type());
    }
  }
}
